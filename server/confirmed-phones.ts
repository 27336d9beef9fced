import { randomInt, timingSafeEqual } from 'node:crypto'
import { type Call, signedIn } from './call.ts'
import { rejected } from './errors.ts'
import { say } from '../shared/messages.ts'
import type { Tx } from './tenancy.ts'

/**
 * Tables of residents' phone numbers. A number becomes valid only after its owner enters the code that the portal sent
 * to it by text message or call.
 */
type PhoneTable = 'sms_number' | 'voice_number'

const CODE_MINUTES = 10

/** Finds the caller's phone number. Undefined if they never entered one. */
export const phoneOf = (tx: Tx, call: Call, table: PhoneTable) =>
  tx
    .selectFrom(table)
    .select(['company_id', 'phone', 'confirmed_at', 'code_hash', 'code_expires_at'])
    .where('company_id', '=', call.company.id)
    .where('person_id', '=', signedIn(call).personId)
    .executeTakeFirst()

/** Returns the caller's key for rate limits. */
export const phoneKeyOf = (call: Call): string => `${call.company.id}/${signedIn(call).personId}`

const markOf = (call: Call, phone: string, code: string) =>
  call.context.secrets.mark(`${phoneKeyOf(call)}/${phone}/${code}`)

/**
 * Saves a phone number with its owner's consent, and replaces an earlier number.
 * @returns the confirmation code of six digits
 */
export async function startPhoneConfirmation(
  tx: Tx,
  call: Call,
  table: PhoneTable,
  { phone, agreedTo }: { phone: string; agreedTo: string },
): Promise<{ code: string; minutes: number }> {
  const now = call.context.clock.now()
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const values = {
    phone,
    agreed_at: now,
    agreed_to: agreedTo,
    confirmed_at: null,
    code_hash: markOf(call, phone, code),
    code_expires_at: new Date(now.getTime() + CODE_MINUTES * 60_000),
  }
  await tx
    .insertInto(table)
    .values({ company_id: call.company.id, person_id: signedIn(call).personId, ...values })
    .onConflict((on) => on.columns(['company_id', 'person_id']).doUpdateSet(values))
    .execute()
  return { code, minutes: CODE_MINUTES }
}

/**
 * Confirms the phone by its code. `invalidCode` is the message for a wrong code. @returns the phone @throws 422 for a
 * wrong or expired code
 */
export async function confirmPhone(
  tx: Tx,
  call: Call,
  table: PhoneTable,
  { code, invalidCode }: { code: string; invalidCode: string },
): Promise<string> {
  const existing = await phoneOf(tx, call, table)
  const now = call.context.clock.now()
  if (!existing?.code_hash || !timingSafeEqual(existing.code_hash, markOf(call, existing.phone, code)))
    throw rejected(invalidCode, { code: invalidCode })
  if (!existing.code_expires_at || existing.code_expires_at <= now) {
    const late = say`This code has expired. Codes are valid for ${CODE_MINUTES} minutes. Request a new code.`
    throw rejected(late, { code: late })
  }
  await tx
    .updateTable(table)
    .set({ confirmed_at: now, code_hash: null, code_expires_at: null })
    .where('company_id', '=', call.company.id)
    .where('person_id', '=', signedIn(call).personId)
    .execute()
  return existing.phone
}

/** Deletes the caller's phone. @returns true if one existed */
export async function forgetPhone(tx: Tx, call: Call, table: PhoneTable): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom(table)
    .where('company_id', '=', call.company.id)
    .where('person_id', '=', signedIn(call).personId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
