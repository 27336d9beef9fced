import type { Tx } from '../tenancy.ts'

interface Line {
  company_id: number
  phone: string
}

/** True if a person at this phone pressed 9. The portal never calls it again. */
export const hasStopped = async (tx: Tx, { company_id, phone }: Line): Promise<boolean> =>
  (await tx
    .selectFrom('voice_opt_out')
    .select('at')
    .where('company_id', '=', company_id)
    .where('phone', '=', phone)
    .executeTakeFirst()) !== undefined

/** Records that this phone is never called again. @returns true if that is new */
export const addVoiceStop = async (tx: Tx, { company_id, phone }: Line, at: Date): Promise<boolean> =>
  (await tx
    .insertInto('voice_opt_out')
    .values({ company_id, phone, at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('at')
    .executeTakeFirst()) !== undefined

/**
 * Returns the address for the rest period of calls, separate from texts: a landline takes no texts but can be called.
 */
export const lineOf = (phone: string): string => `tel:${phone}`
