import { randomInt, timingSafeEqual } from 'node:crypto'
import { type Call, signedIn } from './call.ts'
import { rejected } from './errors.ts'
import { say } from '../shared/words.ts'
import type { Tx } from './tenancy.ts'

/** Where phones of residents are kept that count once a code came back which was sent, or spoken, there. */
type PhoneTable = 'sms_number' | 'voice_number'

const CODE_MINUTES = 10

/** The caller's phone; undefined where they gave none. */
export const phoneOf = (tx: Tx, call: Call, table: PhoneTable) =>
  tx
    .selectFrom(table)
    .select(['company_id', 'phone', 'confirmed_at', 'code_hash', 'code_expires_at'])
    .where('company_id', '=', call.company.id)
    .where('person_id', '=', signedIn(call).personId)
    .executeTakeFirst()

/** By what limits count whose phone it is. */
export const phoneKeyOf = (call: Call): string => `${call.company.id}/${signedIn(call).personId}`

const markOf = (call: Call, phone: string, code: string) =>
  call.context.secrets.mark(`${phoneKeyOf(call)}/${phone}/${code}`)

/** Keeps a phone with what its owner agreed to, in the place of another one. @returns the code that confirms it, of six digits */
export async function beginPhone(
  tx: Tx,
  call: Call,
  table: PhoneTable,
  { phone, agreedTo }: { phone: string; agreedTo: string },
): Promise<{ code: string; minutes: number }> {
  const now = call.context.clock.now()
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const given = {
    phone,
    agreed_at: now,
    agreed_to: agreedTo,
    confirmed_at: null,
    code_hash: markOf(call, phone, code),
    code_expires_at: new Date(now.getTime() + CODE_MINUTES * 60_000),
  }
  await tx
    .insertInto(table)
    .values({ company_id: call.company.id, person_id: signedIn(call).personId, ...given })
    .onConflict((on) => on.columns(['company_id', 'person_id']).doUpdateSet(given))
    .execute()
  return { code, minutes: CODE_MINUTES }
}

/** Confirms the phone by its code. `wrong`: what is said of another code. @returns the phone @throws 422 */
export async function confirmPhone(
  tx: Tx,
  call: Call,
  table: PhoneTable,
  { code, wrong }: { code: string; wrong: string },
): Promise<string> {
  const known = await phoneOf(tx, call, table)
  const now = call.context.clock.now()
  if (!known?.code_hash || !timingSafeEqual(known.code_hash, markOf(call, known.phone, code)))
    throw rejected(wrong, { code: wrong })
  if (!known.code_expires_at || known.code_expires_at <= now) {
    const late = say`This code was good for ${CODE_MINUTES} minutes. Ask for another one.`
    throw rejected(late, { code: late })
  }
  await tx
    .updateTable(table)
    .set({ confirmed_at: now, code_hash: null, code_expires_at: null })
    .where('company_id', '=', call.company.id)
    .where('person_id', '=', signedIn(call).personId)
    .execute()
  return known.phone
}

/** Forgets the caller's phone. @returns whether there was one */
export async function forgetPhone(tx: Tx, call: Call, table: PhoneTable): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom(table)
    .where('company_id', '=', call.company.id)
    .where('person_id', '=', signedIn(call).personId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
