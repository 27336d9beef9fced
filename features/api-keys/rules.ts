/** Uses of an API key. Each key works only for its own use. */
export const keyUses = { billing: 'Billing system files', open311: 'Open311 requests' } as const
export type KeyUse = keyof typeof keyUses

export const keyStates = { active: 'Active', revoked: 'Revoked' } as const
