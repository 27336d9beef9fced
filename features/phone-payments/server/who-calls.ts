import { isPassword } from '../../../server/accounts/passwords.ts'
import { Refusal } from '../../../server/errors.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { Company } from '../../../server/hosts.ts'
import { countTry, defineLimit } from '../../../server/limits.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { dateIn } from '../../../shared/dates.ts'
import { showKept } from '../../payments/server/stored-methods.ts'
import { lookAt } from '../../payments/server/order-lines.ts'
import { allPayables } from '../../payments/server/payables.ts'
import { plans } from '../../payments/server/plans.ts'
import type { PaymentSettings } from '../../payments/server/settings.ts'
import type { Open, Proof, PhonePayable } from '../rules.ts'

/** Six digits are guessed in time by whoever may try without end: of an account so many wrong ones an hour, whoever calls. */
const perAccount = defineLimit('phone-pin-account', { most: 5, minutes: 60, after: 'pause' })
const perCaller = defineLimit('phone-pin-caller', { most: 10, minutes: 60, after: 'pause' })

interface Caller {
  /** Of the telephone, as far as it says. */
  phone: string
  /** Null where this town knows callers by their phone alone. */
  pin: string | null
}

/** What an account number leads to, of whatever is paid again and again; with those who have linked it. */
export async function findByDigits(tx: Tx, company: Company, digits: string) {
  for (const { kind, recurs } of allPayables()) {
    const known = await recurs?.byDigits(tx, company.id, digits)
    if (known) return { thing: { kind, id: known.id, reference: known.reference }, people: known.people }
  }
  return null
}

/**
 * Finds out who calls: of those who have linked the account the one with this PIN or, where the town asks for none, the one
 * whose phone calls. Each try is counted before it is looked at, for accounts that there aren't as well.
 */
export async function proveCaller(
  context: AppContext,
  company: Company,
  thing: PhonePayable,
  caller: Caller,
  settings: PaymentSettings,
): Promise<Proof> {
  const account = `${company.id}/${thing.reference}`
  try {
    const counted = await countTry(context, [perAccount(account), perCaller(`${company.id}/${caller.phone}`)])
    const person = await personOf(context, company, thing, caller)
    if (person === null) return 'wrong'
    await counted.giveBack()
    return await context.readingCompany(company.id, (tx) => openTo(tx, context, company, { thing, person, settings }))
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
  const known = await context.readingCompany(company.id, async (tx) => {
    const found = await findByDigits(tx, company, reference.replaceAll(/\D/g, ''))
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
      .where('person.id', 'in', [0, ...(found?.people ?? [])])
      .where('person.is_active', '=', 1)
      .orderBy('person.id')
      .execute()
  })
  const isTheirs = (one: (typeof known)[number]) => one.confirmed_at !== null && one.phone === phone
  if (pin === null) return known.find(isTheirs)?.id ?? null
  // Whose phone it is comes first: two of one household may have chosen the same digits.
  const tried = known
    .filter(({ pin_hash }) => pin_hash !== null)
    .toSorted((a, b) => Number(isTheirs(b)) - Number(isTheirs(a)))
  for (const { id, pin_hash } of tried) if (await isPassword(pin_hash, pin, phone)) return id
  // Nobody's takes as long as somebody's.
  if (tried.length === 0) await isPassword(null, pin, phone)
  return null
}

interface KnownCaller {
  thing: PhonePayable
  person: number
  settings: PaymentSettings
}

/** A part of what is owed that may be paid by itself. */
const isPayable = (
  cents: number,
  { owedCents, inFull }: { owedCents: number; inFull?: boolean },
  { payInFull, limits }: PaymentSettings,
) => cents < owedCents && cents >= limits.minCents && cents <= limits.maxCents && !inFull && !payInFull

/** What is owed, and by what the caller can pay it. */
async function openTo(
  tx: Tx,
  context: AppContext,
  company: Company,
  { thing, person, settings }: KnownCaller,
): Promise<Open> {
  const [wanted] = await lookAt(tx, company.id, [thing])
  if (!wanted) throw new Error('what was asked for is answered')
  const today = dateIn(company.timeZone, context.clock.now())
  const installment = (await plans()?.next(tx, company.id, thing.kind, thing.id, today)) ?? null
  const kept = await showKept(tx, company.id, person, today)
  return {
    thing,
    person,
    owedCents: wanted.owedCents,
    takesCredit: wanted.takesCredit,
    inFull: wanted.inFull || settings.payInFull,
    limits: settings.limits,
    installment: installment && isPayable(installment.cents, wanted, settings) ? installment : null,
    ways: kept
      .filter(({ isGood }) => isGood)
      // More than nine keys there are not.
      .slice(0, 9)
      .map(({ id, means, method }) => ({ id, means, method })),
  }
}
