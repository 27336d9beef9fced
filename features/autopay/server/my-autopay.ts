import { sql } from 'kysely'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { conflict, notFound, rejected } from '../../../server/errors.ts'
import { notify } from '../../../server/notices/notify.ts'
import { begin, move, whoOf } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { addDays, dateIn } from '../../../shared/dates.ts'
import { buttonsFrom } from '../../../shared/machine.ts'
import { say } from '../../../shared/words.ts'
import { allPayables } from '../../payments/server/payables.ts'
import type { OwnThing } from '../../payments/server/payable.ts'
import { moveAutopay, myAutopay, saveAutopay, skipAutopay } from '../contract.ts'
import { amountToCharge, chargeDay, termsWords } from '../rules.ts'
import { autopayStates } from '../states.ts'
import { type Autopay, endAutopay, keptAutopay, lockAutopay, termsOf } from './enrolments.ts'
import { chargeWords, enrolled } from './letters.ts'
import { lockOwnMethod } from './methods.ts'
import { type Charge, outcomeOf, owedNow, planCharge } from './plan.ts'
import { reasonWords } from './reason-words.ts'
import { autopaySettings, type AutopaySettings, mandateVersion } from './settings.ts'

interface Shown extends Autopay {
  means: string
  next: Charge | null
  last: Charge | null
}

/** The caller's live enrolments, each with the charge that comes next and the one that came last. */
async function mineNow(tx: Tx, call: Call): Promise<Shown[]> {
  const chargeOf = (which: ReturnType<typeof sql>) => sql`
    (SELECT to_jsonb(c) FROM autopay_charge c WHERE c.company_id = a.company_id AND c.autopay_id = a.id AND ${which} LIMIT 1)`
  const { rows } = await sql<Shown>`
    SELECT a.*, m.means,
      ${chargeOf(sql`c.state IN ('planned', 'charging') ORDER BY c.charge_on, c.id`)} AS next,
      ${chargeOf(sql`c.state NOT IN ('planned', 'charging') ORDER BY c.settled_at DESC, c.id DESC`)} AS last
    FROM autopay a JOIN stored_method m ON m.company_id = a.company_id AND m.id = a.method_id
    WHERE a.company_id = ${call.company.id} AND a.person_id = ${signedIn(call).personId} AND a.state IN ('active', 'paused')`.execute(
    tx,
  )
  return rows
}

const shownCharge = (charge: Charge | null) =>
  charge && {
    id: charge.id,
    bill: charge.bill,
    dueDate: charge.due_date,
    on: charge.charge_on,
    cents: charge.amount_cents ?? charge.told_cents,
    state: charge.state,
    reason: reasonWords(charge.state, charge.reason),
  }

export const myAutopayCall = implement(myAutopay, (call) =>
  call.reading(async (tx) => {
    const { company } = call
    const { personId } = signedIn(call)
    const settings = await autopaySettings(tx, company)
    const enrolments = await mineNow(tx, call)
    const things = []
    for (const { kind, recurs } of allPayables())
      for (const { id, reference, title, newest } of (await recurs?.mine(tx, company.id, personId)) ?? []) {
        const one = enrolments.find((row) => row.kind === kind && row.payable_id === id)
        const owedCents = await owedNow(tx, company, kind, id)
        const autopay = one ? shown(one) : null
        things.push({ kind, id, reference, title, owedCents, dueDate: newest?.dueDate ?? null, autopay })
      }
    return {
      enabled: settings.enabled,
      noticeDays: settings.noticeDays,
      maxCents: settings.maxCents,
      mandate: { version: await mandateVersion(tx, company, settings.mandate), text: settings.mandate },
      things,
    }
  }),
)

function shown(row: Shown) {
  const terms = termsOf(row)
  return {
    id: row.id,
    state: row.state,
    methodId: row.method_id,
    ...terms,
    terms: termsWords(terms, row.means),
    skipNext: row.skip_next,
    can: buttonsFrom(autopayStates, row.state, { as: 'requester' }),
    next: shownCharge(row.next),
    last: shownCharge(row.last),
  }
}

/** The caller's own thing. @throws 404 */
async function findThing(tx: Tx, call: Call, kind: string, id: number): Promise<OwnThing> {
  const recurs = allPayables().find((payable) => payable.kind === kind)?.recurs
  const mine = (await recurs?.mine(tx, call.company.id, signedIn(call).personId)) ?? []
  const thing = mine.find((one) => one.id === id)
  if (!recurs || !thing) throw notFound('This account is not linked to yours. Link it first.')
  return thing
}

export const saveAutopayCall = implement(saveAutopay, (call) => {
  const { house, company, body } = call
  const { kind, thingId, form } = body
  return call.inCompany(async (tx) => {
    const settings = await autopaySettings(tx, company)
    if (!settings.enabled) throw conflict('no_autopay', say`${company.name} does not offer AutoPay at the moment.`)
    const version = await mandateVersion(tx, company, settings.mandate)
    if (version !== body.mandate)
      throw conflict('mandate_changed', 'What you agree to has changed. Load the page again, and read it once more.')
    const thing = await findThing(tx, call, kind, thingId)
    const now = house.clock.now()
    // The method first, as whoever finds that it can't be charged any more.
    const method = await lockOwnMethod(tx, call, form.methodId)
    const before = await liveAutopay(tx, call, kind, thingId)
    const today = dateIn(company.timeZone, now)
    if (method.unusable !== '' || (method.expires_on !== null && method.expires_on < today)) {
      const sentence = say`${method.means} can not be charged any more. Choose another one.`
      throw rejected(sentence, { methodId: sentence })
    }
    const { email, firstName, lastName, personId } = signedIn(call)
    const facts = {
      method_id: method.id,
      timing: form.timing,
      days_before: form.timing === 'before' ? form.daysBefore : 0,
      day_of_month: form.timing === 'day' ? form.dayOfMonth : 0,
      cap_cents: form.limited ? form.capCents : null,
      search_text: `${thing.reference} ${firstName} ${lastName} ${email}`.toLowerCase(),
    }
    const autopay = before
      ? await change(tx, call, before, facts)
      : await enrol(tx, call, { ...facts, kind, payable_id: thingId, reference: thing.reference })
    const terms = termsWords(termsOf(autopay), method.means)
    await keepAgreement(tx, call, { autopay, terms, version, mandate: settings.mandate })
    // Whoever agrees reads the day on the screen and in the mail, so that no other notice is waited for.
    const payer = { ...autopay, person_id: personId, email, means: method.means }
    const next = await planNow(tx, call, payer, thing, { settings, earliest: addDays(today, 1) })
    const said = next
      ? chargeWords({ cents: next.told_cents, on: next.charge_on, dueDate: next.due_date, means: method.means })
      : say`Nothing is planned yet: the next bill is told to you before it is charged.`
    await notify(tx, house, {
      at: company,
      to: email,
      person: personId,
      notice: enrolled,
      facts: { reference: thing.reference, terms, mandate: settings.mandate, next: said },
    })
    return { success: true as const, message: say`AutoPay is on for account ${thing.reference}. ${said}` }
  })
})

const OTHERS = 'This account is on AutoPay already. Load the page again.'

async function liveAutopay(tx: Tx, call: Call, kind: string, id: number): Promise<Autopay | undefined> {
  const row = await tx
    .selectFrom('autopay')
    .selectAll()
    .where('company_id', '=', call.company.id)
    .where('kind', '=', kind)
    .where('payable_id', '=', id)
    .where('state', 'in', ['active', 'paused'])
    .forUpdate()
    .executeTakeFirst()
  if (row && row.person_id !== signedIn(call).personId) throw conflict('others_autopay', OTHERS)
  return row
}

type NewTerms = Pick<Autopay, 'method_id' | 'timing' | 'days_before' | 'day_of_month' | 'cap_cents' | 'search_text'>

async function enrol(
  tx: Tx,
  call: Call,
  facts: NewTerms & Pick<Autopay, 'kind' | 'payable_id' | 'reference'>,
): Promise<Autopay> {
  const { personId } = signedIn(call)
  const row = await tx
    .insertInto('autopay')
    .values({
      ...facts,
      company_id: call.company.id,
      person_id: personId,
      state: 'active',
      enrolled_at: call.house.clock.now(),
      ended_at: null,
    })
    // Somebody else, or another tab, was quicker at this moment.
    .onConflict((on) => on.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!row) throw conflict('others_autopay', OTHERS)
  const { id, reference } = row
  const detail = { account: reference }
  await begin(tx, keptAutopay, {
    place: call.company.id,
    id,
    event: 'enrol',
    who: whoOf(call),
    detail,
    person: personId,
  })
  return row
}

async function change(tx: Tx, call: Call, before: Autopay, facts: NewTerms): Promise<Autopay> {
  const row = await tx
    .updateTable('autopay')
    .set(facts)
    .where('company_id', '=', call.company.id)
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const told = ({ method_id: method, ...one }: Autopay) => ({ method, ...termsOf(one) })
  await call.audit(tx, {
    action: 'autopay.changed',
    subject: { kind: 'autopay', id: row.id },
    detail: { account: row.reference, before: told(before), after: told(row) },
  })
  return row
}

/** What was agreed to, when, and from where: never changed afterwards. */
async function keepAgreement(
  tx: Tx,
  call: Call,
  { autopay, terms, version, mandate }: { autopay: Autopay; terms: string; version: number; mandate: string },
): Promise<void> {
  const [company_id, at] = [call.company.id, call.house.clock.now()]
  await tx
    .insertInto('autopay_mandate')
    .values({ company_id, version, text: mandate, since: at })
    .onConflict((on) => on.doNothing())
    .execute()
  await tx
    .insertInto('autopay_agreement')
    .values({
      company_id,
      autopay_id: autopay.id,
      at,
      address: call.address,
      device: call.device,
      mandate_version: version,
      terms,
    })
    .execute()
}

/** The charge of the newest bill by the terms of now: planned, or what was planned moved to them. */
async function planNow(
  tx: Tx,
  call: Call,
  autopay: Autopay & { email: string; means: string },
  { newest }: OwnThing,
  planning: { settings: AutopaySettings; earliest: string },
): Promise<Charge | null> {
  const { house, company } = call
  if (!newest || autopay.state !== 'active') return null
  const known = await tx
    .selectFrom('autopay_charge')
    .selectAll()
    .where('company_id', '=', company.id)
    .where('autopay_id', '=', autopay.id)
    .where('bill', '=', newest.bill)
    .forUpdate()
    .executeTakeFirst()
  if (!known) {
    const planned = await planCharge(tx, house, company, autopay, newest, planning)
    return planned?.state === 'planned' ? planned : null
  }
  // One that was tried waits for the day that follows from that, and what is over stays so.
  if (known.presentment > 1) return known.state === 'planned' ? known : null
  if (known.state !== 'planned' && known.state !== 'refused') return null
  const owedCents = await owedNow(tx, company, autopay.kind, autopay.payable_id)
  const amount = amountToCharge({
    owedCents,
    toldCents: null,
    capCents: autopay.cap_cents,
    maxCents: planning.settings.maxCents,
  })
  const moved = await tx
    .updateTable('autopay_charge')
    .set({
      ...outcomeOf(amount, house.clock.now()),
      told_cents: Math.max(owedCents, 0),
      charge_on: chargeDay(termsOf(autopay), newest.dueDate, planning.earliest),
    })
    .where('company_id', '=', company.id)
    .where('id', '=', known.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return moved.state === 'planned' ? moved : null
}

/** One of the caller's, locked. @throws 404 */
async function lockOwn(tx: Tx, call: Call, id: number): Promise<Autopay> {
  const row = await lockAutopay(tx, call.company.id, id)
  if (row.person_id !== signedIn(call).personId) throw notFound('This account is not on AutoPay. Load the page again.')
  return row
}

export const moveAutopayCall = implement(moveAutopay, (call) => {
  const { company, body } = call
  return call.inCompany(async (tx) => {
    const autopay = await lockOwn(tx, call, body.id)
    const { message } =
      body.event === 'end'
        ? await endAutopay(tx, company.id, autopay, 'end', { reason: 'resident' }, whoOf(call))
        : await move(tx, keptAutopay, { place: company.id, id: autopay.id, event: body.event, who: whoOf(call) })
    return { success: true as const, message }
  })
})

export const skipAutopayCall = implement(skipAutopay, (call) => {
  const { house, company, body } = call
  return call.inCompany(async (tx) => {
    const autopay = await lockOwn(tx, call, body.id)
    const now = house.clock.now()
    const charge = await chargeToSkip(tx, call, autopay, body.skip)
    if (charge)
      await tx
        .updateTable('autopay_charge')
        .set(
          body.skip
            ? { state: 'skipped', reason: 'asked', settled_at: now }
            : { state: 'planned', reason: '', settled_at: null },
        )
        .where('company_id', '=', company.id)
        .where('id', '=', charge.id)
        .execute()
    const skipNext = body.skip && !charge
    await tx
      .updateTable('autopay')
      .set({ skip_next: skipNext })
      .where('company_id', '=', company.id)
      .where('id', '=', autopay.id)
      .execute()
    await call.audit(tx, {
      action: body.skip ? 'autopay.skipped' : 'autopay.unskipped',
      subject: { kind: 'autopay', id: autopay.id },
      detail: { account: autopay.reference, bill: charge?.bill ?? 'next' },
    })
    const message = body.skip
      ? say`The next payment of account ${autopay.reference} is left out. Please pay that bill yourself.`
      : say`The next payment of account ${autopay.reference} is made again.`
    return { success: true as const, message }
  })
})

/** The charge that comes next, locked; or the one that was left out, which can be put back until its day is over. */
const chargeToSkip = (tx: Tx, call: Call, { id }: Autopay, skip: boolean): Promise<Charge | undefined> => {
  const charges = tx
    .selectFrom('autopay_charge')
    .selectAll()
    .where('company_id', '=', call.company.id)
    .where('autopay_id', '=', id)
    .orderBy('charge_on')
    .limit(1)
    .forUpdate()
  if (skip) return charges.where('state', '=', 'planned').executeTakeFirst()
  const today = dateIn(call.company.timeZone, call.house.clock.now())
  return charges
    .where('state', '=', 'skipped')
    .where('reason', '=', 'asked')
    .where('charge_on', '>=', today)
    .executeTakeFirst()
}
