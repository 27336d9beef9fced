import type { Tx } from '../tenancy.ts'

interface Line {
  company_id: number
  phone: string
}

/** True if someone pressed 9 during a call to this phone. The company then never calls that phone again. */
export const hasOptedOut = async (tx: Tx, { company_id, phone }: Line): Promise<boolean> =>
  (await tx
    .selectFrom('voice_opt_out')
    .select('at')
    .where('company_id', '=', company_id)
    .where('phone', '=', phone)
    .executeTakeFirst()) !== undefined

/**
 * Records that the company must never call this phone again.
 * @returns true if this was not recorded before
 */
export const addVoiceOptOut = async (tx: Tx, { company_id, phone }: Line, at: Date): Promise<boolean> =>
  (await tx
    .insertInto('voice_opt_out')
    .values({ company_id, phone, at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('at')
    .executeTakeFirst()) !== undefined

/**
 * Returns the key under which calls to a phone are paused. Text messages have a separate key, because a landline
 * receives calls but no text messages.
 */
export const lineOf = (phone: string): string => `tel:${phone}`
