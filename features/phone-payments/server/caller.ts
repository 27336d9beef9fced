import { isPassword } from '../../../server/accounts/passwords.ts'
import { Refusal } from '../../../server/errors.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { Company } from '../../../server/hosts.ts'
import { countAttempt, defineLimit } from '../../../server/limits.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { dateIn } from '../../../shared/dates.ts'
import { storedMethodViews, loadOwed, allPayables, arrangementPort, type PaymentSettings } from '../../payments/api.ts'
import type { Open, Proof, PhonePayable } from '../rules.ts'

/**
 * Limits wrong PINs of an account per hour, across all callers. Without a limit, someone could find a six-digit PIN by
 * trying.
 */
const perAccount = defineLimit('phone-pin-account', { max: 5, minutes: 60, after: 'pause' })
const perCaller = defineLimit('phone-pin-caller', { max: 10, minutes: 60, after: 'pause' })

interface Caller {
  /** Caller's number, if the telephone network transmits it. */
  phone: string
  /** PIN that the caller entered. Null if the company identifies callers only by phone number. */
  pin: string | null
}

/** Finds the recurring payable with this account number, and the people who have linked it. */
export async function findByDigits(tx: Tx, company: Company, digits: string) {
  for (const { kind, recurs } of allPayables()) {
    const match = await recurs?.byDigits(tx, company.id, digits)
    if (match) return { payable: { kind, id: match.id, reference: match.reference }, people: match.people }
  }
  return null
}

/**
 * Identifies the caller by PIN or phone number, among the people who have linked the account. Each attempt counts
 * toward the limits before the PIN is checked, even for an unknown account.
 */
export async function proveCaller(
  context: AppContext,
  company: Company,
  payable: PhonePayable,
  caller: Caller,
  settings: PaymentSettings,
): Promise<Proof> {
  const account = `${company.id}/${payable.reference}`
  try {
    const counted = await countAttempt(context, [perAccount(account), perCaller(`${company.id}/${caller.phone}`)])
    const person = await personOf(context, company, payable, caller)
    if (person === null) return 'invalid'
    await counted.release()
    return await context.readingCompany(company.id, (tx) => openTo(tx, context, company, { payable, person, settings }))
  } catch (error) {
    if (error instanceof Refusal && error.status === 429) return 'locked'
    throw error
  }
}

async function personOf(
  context: AppContext,
  company: Company,
  { reference }: PhonePayable,
  { phone, pin }: Caller,
): Promise<number | null> {
  const candidates = await context.readingCompany(company.id, async (tx) => {
    const account = await findByDigits(tx, company, reference.replaceAll(/\D/g, ''))
    return tx
      .selectFrom('person')
      .leftJoin('phone_pin', (on) =>
        on.onRef('phone_pin.company_id', '=', 'person.company_id').onRef('phone_pin.person_id', '=', 'person.id'),
      )
      .leftJoin('sms_number', (on) =>
        on.onRef('sms_number.company_id', '=', 'person.company_id').onRef('sms_number.person_id', '=', 'person.id'),
      )
      .select(['person.id', 'phone_pin.pin_hash', 'sms_number.phone', 'sms_number.confirmed_at'])
      .where('person.company_id', '=', company.id)
      .where('person.id', 'in', [0, ...(account?.people ?? [])])
      .where('person.is_active', '=', 1)
      .orderBy('person.id')
      .execute()
  })
  const isOwnPhone = (one: (typeof candidates)[number]) => one.confirmed_at !== null && one.phone === phone
  if (pin === null) return candidates.find(isOwnPhone)?.id ?? null
  // Tries the PIN of the phone's owner first, because two people in a household may have the same PIN.
  const tried = candidates
    .filter(({ pin_hash }) => pin_hash !== null)
    .toSorted((a, b) => Number(isOwnPhone(b)) - Number(isOwnPhone(a)))
  for (const { id, pin_hash } of tried) if (await isPassword(pin_hash, pin, phone)) return id
  // Hashes even if no PIN exists, so that the response time does not reveal whether an account has a PIN.
  if (tried.length === 0) await isPassword(null, pin, phone)
  return null
}

interface CallerPayable {
  payable: PhonePayable
  person: number
  settings: PaymentSettings
}

/** True if the payer may pay this part of the amount due without the rest. */
const isPayable = (
  cents: number,
  { owedCents, inFull }: { owedCents: number; inFull?: boolean },
  { payInFull, limits }: PaymentSettings,
) => cents < owedCents && cents >= limits.minCents && cents <= limits.maxCents && !inFull && !payInFull

/** Loads the amount due and the caller's payment methods. */
async function openTo(
  tx: Tx,
  context: AppContext,
  company: Company,
  { payable, person, settings }: CallerPayable,
): Promise<Open> {
  const [payableState] = await loadOwed(tx, company.id, [payable])
  if (!payableState) throw new Error('what was asked for is answered')
  const today = dateIn(company.timeZone, context.clock.now())
  const installment = (await arrangementPort()?.next(tx, company.id, payable.kind, payable.id, today)) ?? null
  const storedMethods = await storedMethodViews(tx, company.id, person, today)
  return {
    payable,
    person,
    owedCents: payableState.owedCents,
    takesCredit: payableState.takesCredit,
    inFull: payableState.inFull || settings.payInFull,
    limits: settings.limits,
    installment: installment && isPayable(installment.cents, payableState, settings) ? installment : null,
    methods: storedMethods
      .filter(({ isGood }) => isGood)
      // The phone menu has only nine keys for payment methods.
      .slice(0, 9)
      .map(({ id, methodLabel, method }) => ({ id, methodLabel, method })),
  }
}
