import type { Tx } from '../tenancy.ts'

interface Line {
  company_id: number
  phone: string
}

/** Whether somebody at this phone pressed 9: it is never called again. */
export const hasStopped = async (tx: Tx, { company_id, phone }: Line): Promise<boolean> =>
  (await tx
    .selectFrom('voice_stop')
    .select('at')
    .where('company_id', '=', company_id)
    .where('phone', '=', phone)
    .executeTakeFirst()) !== undefined

/** Keeps that this phone is never called again. @returns whether that is new */
export const addVoiceStop = async (tx: Tx, { company_id, phone }: Line, at: Date): Promise<boolean> =>
  (await tx
    .insertInto('voice_stop')
    .values({ company_id, phone, at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('at')
    .executeTakeFirst()) !== undefined

/** The address under which a phone rests for calls, apart from texts: a landline takes none and can be called. */
export const lineOf = (phone: string): string => `tel:${phone}`
