import { sql } from 'kysely'
import { firstNames, lastNames } from '../../database/names.ts'
import { type Random, randomFrom } from '../../database/random.ts'
import type { DemoCompany, Household } from '../../database/towns/town.ts'
import { loadCompanyDetails, type Demo, type DemoPart } from '../../server/demo.ts'
import { type CompanyId, tenancyOn, type Tx } from '../../server/tenancy.ts'
import { addDays, dateIn, midnightIn } from '../../shared/dates.ts'
import type { Answers } from '../../shared/fields/answer.ts'
import { answersOf } from '../../shared/fields/answers.ts'
import { dayOf, type DemoOrder, legsOf, paidSteps, writeHistory } from '../payments/demo-rows.ts'
import { methods, orderStatus } from '../payments/rules.ts'
import { type FeeBook, quoteOf } from '../payments/rules-fees.ts'
import { settingsOf } from '../payments/server/settings.ts'
import { addPdf } from './demo-pdf.ts'
import { type DemoForm, demoForms, companyForms } from './demo-forms.ts'
import {
  answersAsText,
  answersText,
  feeOf,
  idOf,
  itemsOf,
  limitKeyOf,
  numberOf,
  slugOf,
  type TypeForm,
  usualType,
} from './rules.ts'
import { FIELDS_KIND, rowOf } from './server/change-types.ts'
import { formPayable } from './server/payable.ts'
import type { SubmissionStatus } from './states.ts'

/** The sandbox gateway has no record of these past payments, so its reconciler must not query them. */
const PROVIDER = 'sandbox-history'
const [HOUR, DAY] = [3_600_000, 86_400_000]
const DAYS = 365

interface CreatedType {
  of: DemoForm
  form: TypeForm
  id: number
  fieldSet: number
}

interface DemoHistoryRow {
  id: number
  seq: number
  from: string
  to: string
  event: string
  at: Date
  kind: 'citizen' | 'municipality' | 'system'
  actor: number | null
  by: string
  reason: string
}

const rejections = [
  'The plan is missing.',
  'It is not within the limits of the town.',
  'The date is over.',
  'The insurance is too low.',
]
const questions = [
  'Which entrance is meant?',
  'Please add the number of the parcel.',
  'Who is there on that day?',
  'Please send a photo as well.',
]

async function writeTypes(
  tx: Tx,
  company: CompanyId,
  chosenForms: readonly DemoForm[],
  began: Date,
): Promise<CreatedType[]> {
  const departments = await tx
    .selectFrom('department')
    .select(['id', 'name'])
    .where('company_id', '=', company)
    .execute()
  const forms = chosenForms.map(({ form, department }): TypeForm => ({
    ...usualType,
    ...form,
    departmentId: departments.find(({ name }) => name.includes(department))?.id ?? null,
  }))
  const sets = await tx
    .insertInto('field_set')
    .values(
      chosenForms.map(({ form, definition }) => ({
        company_id: company,
        kind: FIELDS_KIND,
        name: form.title,
        draft: JSON.stringify(definition),
        latest_version: 1,
        created_at: began,
        updated_at: began,
      })),
    )
    .returning('id')
    .execute()
  await tx
    .insertInto('field_set_version')
    .values(
      chosenForms.map(({ definition }, at) => ({
        company_id: company,
        field_set_id: sets[at]?.id ?? 0,
        version: 1,
        definition: JSON.stringify(definition),
        published_at: began,
        published_by: 'Mainstreet',
      })),
    )
    .execute()
  const types = await tx
    .insertInto('form_type')
    .values(
      forms.map((form, at) => ({
        ...rowOf(form),
        company_id: company,
        status: 'published' as const,
        slug: slugOf(form.title),
        field_set_id: sets[at]?.id ?? 0,
        created_at: began,
        changed_at: began,
      })),
    )
    .returning('id')
    .execute()
  await sql`
    INSERT INTO status_history (company_id, machine, subject_id, seq, from_state, to_state, event, at, actor_kind, actor_id, actor_name)
    SELECT company_id, 'form_type', id, 1, '', 'draft', 'create', created_at, 'system', NULL::bigint, 'Mainstreet' FROM form_type WHERE company_id = ${company}
    UNION ALL SELECT company_id, 'form_type', id, 2, 'draft', 'published', 'publish', created_at, 'system', NULL, 'Mainstreet' FROM form_type
      WHERE company_id = ${company}`.execute(tx)
  return chosenForms.map((of, at) => ({
    of,
    form: forms[at] as TypeForm,
    id: types[at]?.id ?? 0,
    fieldSet: sets[at]?.id ?? 0,
  }))
}

async function peopleOf(tx: Tx, company: CompanyId, subdomain: string) {
  const { rows } = await sql<{ id: number; name: string; email: string; staff: boolean }>`
    SELECT id, trim(first_name || ' ' || last_name) AS name, email, role_id >= 3 AS staff FROM person
    WHERE company_id = ${company} AND (role_id BETWEEN 3 AND 5 AND is_active = 1 AND locked_at IS NULL OR email = ${`resident@${subdomain}.example`})
    ORDER BY id`.execute(tx)
  return { staff: rows.filter((row) => row.staff), resident: rows.find((row) => !row.staff) }
}

/** Returns the final status of a submission of this age in days. */
function endOf(random: Random, age: number): SubmissionStatus {
  if (age < 2) return 1
  const ends = {
    approved: 78,
    rejected: 7,
    withdrawn: 5,
    waiting: age < 20 ? 30 : 1,
    asked: age < 30 ? 12 : 1,
    revoked: 1,
    again: 4,
  }
  const end = random.weighted(ends)
  return ({ approved: 3, again: 3, rejected: 2, withdrawn: 12, waiting: 1, asked: 11, revoked: 13 } as const)[end]
}

/** The form with a PDF, which the company used before the portal. */
const WITH_PDF = 'Records request'

async function addForms(
  tx: Tx,
  demo: Demo,
  demoCompany: DemoCompany,
  company: CompanyId,
  households: readonly Household[],
) {
  const has = companyForms[demoCompany.company.subdomain]
  if (!has) return
  const { timeZone } = await loadCompanyDetails(tx, company)
  const now = demo.clock.now()
  const today = dateIn(timeZone, now)
  const random = randomFrom(demoCompany.seed + 85)
  const { fees } = await settingsOf(tx, company)
  const types = await writeTypes(
    tx,
    company,
    demoForms.filter(({ form }) => has.titles(form.title)),
    midnightIn(timeZone, addDays(today, -DAYS - 30)),
  )
  for (const { id, of } of types.filter(({ form }) => form.title === WITH_PDF))
    await addPdf(
      tx,
      demo,
      company,
      demoCompany.company.companyName,
      { id, title: WITH_PDF, definition: of.definition },
      midnightIn(timeZone, addDays(today, -DAYS - 30)),
    )
  const { staff, resident } = await peopleOf(tx, company, demoCompany.company.subdomain)
  const plan = types
    .flatMap((type) =>
      Array.from({ length: Math.round(type.of.sent * has.share) }, () => ({
        type,
        at: new Date(now.getTime() - Math.round(random.next() ** 1.3 * DAYS * DAY) - random.int(1, 20) * HOUR),
      })),
    )
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
  const numbers = new Map<number, number>()
  const rows: Record<string, unknown>[] = []
  const rounds: Record<string, unknown>[] = []
  const history: DemoHistoryRow[] = []
  const orders: DemoOrder[] = []
  const payables = new Map<string, number>()
  const usedLimits = new Set<string>()
  for (const [index, { type, at }] of plan.entries()) {
    const year = Number(dateIn(timeZone, at).slice(0, 4))
    const no = (numbers.get(year) ?? 0) + 1
    numbers.set(year, no)
    const id = idOf(year, no)
    const { definition } = type.of
    const { answers } = answersOf(definition, type.of.answer(random), today)
    const ours = resident !== undefined && index % 61 === 7
    const home = random.pick(households)
    const stranger = `${random.pick(firstNames)} ${random.pick(lastNames)}`
    const name = ours ? resident.name : home?.email ? home.name : stranger
    const email = ours ? resident.email : (home?.email || `${stranger.replaceAll(' ', '.')}@mail.example`).toLowerCase()
    const cents = feeOf(type.form, definition, answers)
    const age = (now.getTime() - at.getTime()) / DAY
    const unpaid = cents > 0 && random.chance(age < 10 ? 0.25 : 0.02)
    const limit = limitKeyOf(type.form, answers)
    const isSecond = limit !== null && usedLimits.has(`${type.id} ${limit}`)
    const status: SubmissionStatus = unpaid ? 0 : isSecond ? 2 : endOf(random, age)
    if (limit !== null && [0, 1, 3, 11].includes(status)) usedLimits.add(`${type.id} ${limit}`)
    const worker = random.pick(staff)
    const steps = storyOf({ id, at, status, cents, unpaid, ours: ours ? resident.id : null, name, worker, random, now })
    history.push(...steps)
    const decided = steps.findLast(({ event }) => ['approve', 'reject', 'revoke'].includes(event))
    const last = steps.at(-1)
    const end = last ? (Number(last.to) as SubmissionStatus) : 1
    const again = steps.some(({ event }) => event === 'resubmit' || event === 'answer')
    if (again) rounds.push({ id, no: 1, set: type.fieldSet, answers: lessOf(answers), by: name, at })
    rounds.push({ id, no: again ? 2 : 1, set: type.fieldSet, answers, by: name, at: again ? (last?.at ?? at) : at })
    const paidAt = cents > 0 && !unpaid ? new Date(at.getTime() + 4 * 60_000) : null
    const isAssigned = decided !== undefined || end === 11
    rows.push({
      ...{ id, type_id: type.id, title: type.form.title, field_set_id: type.fieldSet, answers, limit_key: limit },
      ...{ answer_text: answersText(definition, answers), status: end, person_id: ours ? resident.id : null },
      ...{ details: detailsOf(definition, answers), items: itemsOf(type.form.title, type.form, definition, answers) },
      ...{ name, email, phone: home?.phone ?? '', fee_cents: cents, paid_cents: paidAt ? cents : 0, paid_at: paidAt },
      ...{
        rounds: again ? 2 : 1,
        created_at: at,
        submitted_at: at,
        decided_at: decided?.at ?? null,
        decided_by: decided?.by ?? '',
      },
      ...{ closed_at: [2, 3, 12, 13, 14].includes(end) ? (last?.at ?? at) : null, updated_at: last?.at ?? at },
      ...{ assigned_to: isAssigned ? worker.id : null, department_id: isAssigned ? null : type.form.departmentId },
      ...{ signer_name: type.form.cosigned ? stranger : '', signed_at: type.form.cosigned ? at : null },
    })
    if (paidAt) {
      payables.set(numberOf(id), id)
      orders.push(orderOf(fees, type, { id, cents, name, email, answers, at: new Date(at.getTime() + 60_000), paidAt }))
    }
  }
  await writeRows(tx, company, rows, rounds, history)
  await tx
    .insertInto('form_number')
    .values([...numbers].map(([year, last]) => ({ company_id: company, year, last })))
    .execute()
  await writeHistory(
    tx,
    company,
    fees,
    orders.toSorted((a, b) => a.at.getTime() - b.at.getTime()),
    payables,
  )
  await sql`
    INSERT INTO form_settlement (company_id, submission_id, order_id, line_no, source, source_ref, kind, amount_cents, at)
    SELECT l.company_id, l.payable_id, l.order_id, l.line_no, t.source, t.source_ref, 'credit', t.amount_cents, t.at
    FROM payment_order_line l JOIN ledger_transfer t ON t.company_id = l.company_id AND t.order_id = l.order_id
    WHERE l.company_id = ${company} AND l.kind = ${formPayable.kind} AND t.credit_account = 'payable_municipality'`.execute(
    tx,
  )
}

const detailsOf = (definition: DemoForm['definition'], answers: Answers) =>
  answersAsText(definition, answers)
    .filter(({ value }) => value !== '' && value.length <= 120)
    .slice(0, 6)
    .map(({ label, value }) => ({ name: label, value }))

/** Returns the answers of the first round, with one different answer. */
function lessOf(answers: Answers): Answers {
  for (const [name, answer] of Object.entries(answers))
    if (typeof answer === 'string' && answer.includes(' ')) return { ...answers, [name]: answer.split(' ')[0] ?? '' }
  return answers
}

interface SubmissionStory {
  id: number
  at: Date
  status: SubmissionStatus
  cents: number
  unpaid: boolean
  /** The demo resident's id, if it is their submission. */
  ours: number | null
  name: string
  worker: { id: number; name: string }
  random: Random
  now: Date
}

/** Returns the past steps of a submission. */
function storyOf({
  id,
  at,
  status,
  cents,
  unpaid,
  ours,
  name,
  worker,
  random,
  now,
}: SubmissionStory): DemoHistoryRow[] {
  const steps: DemoHistoryRow[] = []
  let state = ''
  const step = (
    event: string,
    to: SubmissionStatus,
    hours: number,
    by: 'them' | 'staff' | 'system',
    reason = '',
  ): boolean => {
    const when = new Date((steps.at(-1)?.at ?? at).getTime() + hours * HOUR)
    if (when >= now) return false
    const actor = {
      them: { kind: 'citizen' as const, actor: ours, by: name },
      staff: { kind: 'municipality' as const, actor: worker.id, by: worker.name },
      system: { kind: 'system' as const, actor: null, by: 'Mainstreet' },
    }[by]
    steps.push({ id, seq: steps.length + 1, from: state, to: String(to), event, at: when, ...actor, reason })
    state = String(to)
    return true
  }
  step('begin', 10, 0, 'them')
  step('submit', cents > 0 ? 0 : 1, 0, 'them')
  if (unpaid || (cents > 0 && !step('pay', 1, 0.07, 'system'))) return steps
  if (status === 12) step('withdraw', 12, random.int(2, 60), 'them')
  else if (status === 11) step('ask', 11, random.int(2, 40), 'staff', random.pick(questions))
  else if (status === 2) step('reject', 2, random.int(6, 90), 'staff', random.pick(rejections))
  else if (status === 3 || status === 13) {
    if (random.chance(0.08))
      if (
        !step('ask', 11, random.int(4, 60), 'staff', random.pick(questions)) ||
        !step('answer', 1, random.int(3, 70), 'them')
      )
        return steps
    if (step('approve', 3, random.int(6, 140), 'staff') && status === 13)
      step('revoke', 13, random.int(200, 900), 'staff', 'The conditions of the permit were not kept.')
  }
  return steps
}

function orderOf(
  fees: FeeBook,
  { form, of: { definition } }: CreatedType,
  paid: { id: number; cents: number; name: string; email: string; answers: Answers; at: Date; paidAt: Date },
): DemoOrder {
  const { id, cents, name, email, answers, at, paidAt } = paid
  const quote = quoteOf(fees, { on: dayOf(at), kind: 'form', method: methods.card, location: 1 }, cents)
  const ref = `form_${id}`
  return {
    ...{
      kind: formPayable.kind,
      type: formPayable.label,
      number: numberOf(id),
      glAccount: form.glAccount,
      title: form.title,
    },
    facts: [{ name: 'reference', value: numberOf(id) }, ...detailsOf(definition, answers)],
    items: itemsOf(form.title, form, definition, answers),
    ...{
      at,
      status: orderStatus.success,
      location: 1,
      method: methods.card,
      payType: 1,
      quote,
      payerName: name,
      payerEmail: email,
    },
    ...{ person: null, means: `Visa ending ${String(id % 10_000).padStart(4, '0')}`, provider: PROVIDER, refunded: 0 },
    ...{ returnCode: null, disputed: false, paidAt, steps: paidSteps(at, paidAt) },
    attempts: [{ status: 1, step: 'succeeded', ref, error: null, at }],
    transfers: legsOf('capture', quote, false, ref, paidAt),
  }
}

/** Inserts submissions, rounds and steps with one statement each. */
async function writeRows(
  tx: Tx,
  company: CompanyId,
  rows: object[],
  rounds: object[],
  history: readonly DemoHistoryRow[],
) {
  await sql`
    INSERT INTO form_submission (company_id, id, type_id, title, field_set_id, version, answers, answer_text, details, items, limit_key,
      status, person_id, name, email, phone, fee_cents, paid_cents, paid_at, rounds, created_at, submitted_at, decided_at, decided_by,
      closed_at, updated_at, assigned_to, department_id, signer_name, signed_at)
    SELECT ${company}::int, id, type_id, title, field_set_id, 1, answers, answer_text, details, items, limit_key,
      status, person_id, name, email, phone, fee_cents, paid_cents, paid_at, rounds, created_at, submitted_at, decided_at, decided_by,
      closed_at, updated_at, assigned_to, department_id, signer_name, signed_at
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS x(id bigint, type_id bigint, title text, field_set_id bigint, answers jsonb,
      answer_text text, details jsonb, items jsonb, limit_key text, status int, person_id bigint, name text, email text, phone text,
      fee_cents bigint, paid_cents bigint, paid_at timestamptz, rounds int, created_at timestamptz, submitted_at timestamptz,
      decided_at timestamptz, decided_by text, closed_at timestamptz, updated_at timestamptz, assigned_to bigint, department_id bigint,
      signer_name text, signed_at timestamptz)`.execute(tx)
  await sql`
    INSERT INTO form_round (company_id, submission_id, no, field_set_id, version, answers, sent_by, at)
    SELECT ${company}::int, id, no, set, 1, answers, by, at
    FROM jsonb_to_recordset(${JSON.stringify(rounds)}::jsonb) AS x(id bigint, no int, set bigint, answers jsonb, by text, at timestamptz)`.execute(
    tx,
  )
  await sql`
    INSERT INTO status_history (company_id, machine, subject_id, seq, from_state, to_state, event, at, actor_kind, actor_id, actor_name, reason)
    SELECT ${company}::int, 'form_submission', id, seq, "from", "to", event, at, kind, actor, by, reason
    FROM jsonb_to_recordset(${JSON.stringify(history)}::jsonb) AS x(id bigint, seq int, "from" text, "to" text, event text, at timestamptz,
      kind text, actor bigint, by text, reason text)`.execute(tx)
}

const addCompany: DemoPart['town'] = (demo, demoCompany, { company, households }) =>
  tenancyOn(demo.db.app)(company, (tx) => addForms(tx, demo, demoCompany, company, households))

export const demo: DemoPart = { town: addCompany }
