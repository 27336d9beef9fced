/** Uses of a key. A key gives access only to its use. */
export const keyUses = { billing: 'Files of the billing system', open311: 'Reports by Open311' } as const
export type KeyUse = keyof typeof keyUses

export const keyStates = { active: 'Active', revoked: 'Revoked' } as const
