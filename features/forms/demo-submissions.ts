import { firstNames, lastNames } from '../../database/names.ts'
import type { Random } from '../../database/random.ts'
import type { Household } from '../../database/towns/town.ts'
import { dateIn } from '../../shared/dates.ts'
import type { Answers } from '../../shared/fields/answer.ts'
import { answersOf } from '../../shared/fields/answers.ts'
import { dayOf, type DemoOrder, legsOf, paidSteps } from '../payments/demo-rows.ts'
import { methods, orderStatus } from '../payments/rules.ts'
import { type FeeBook, quoteOf } from '../payments/rules-fees.ts'
import type { DemoForm } from './demo-forms.ts'
import { answersAsText, answersText, feeOf, idOf, itemsOf, limitKeyOf, numberOf, type TypeForm } from './rules.ts'
import { formPayable } from './server/payable.ts'
import type { SubmissionStatus } from './states.ts'

/** The sandbox gateway has no record of these past payments, so its reconciler must not query them. */
const PROVIDER = 'sandbox-history'
const [HOUR, DAY] = [3_600_000, 86_400_000]
const DAYS = 365

export interface CreatedType {
  of: DemoForm
  form: TypeForm
  id: number
  fieldSet: number
}

interface DemoPerson {
  id: number
  name: string
  email: string
}

interface DemoSource {
  types: readonly CreatedType[]
  /** Factor by which the usual number of submissions of each form is multiplied. */
  share: number
  households: readonly Household[]
  staff: readonly DemoPerson[]
  resident: DemoPerson | undefined
  fees: FeeBook
  timeZone: string
  now: Date
}

export interface DemoHistoryRow {
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
  'It is outside the town limits.',
  'The date has passed.',
  'The insurance is too low.',
]
const questions = [
  'Which entrance do you mean?',
  'Please add the parcel number.',
  'Who will be there on that day?',
  'Please send a photo as well.',
]

/** Creates the submissions of a year, oldest first, with their rounds, histories and paid orders. */
export function makeSubmissions(source: DemoSource, random: Random) {
  const { types, share, households, staff, resident, fees, timeZone, now } = source
  const plan = types
    .flatMap((type) =>
      Array.from({ length: Math.round(type.of.sent * share) }, () => ({
        type,
        at: new Date(now.getTime() - Math.round(random.next() ** 1.3 * DAYS * DAY) - random.int(1, 20) * HOUR),
      })),
    )
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
  const lastNumbers = new Map<number, number>()
  const usedLimits = new Set<string>()
  const made = plan.map(({ type, at }, index) => {
    const year = Number(dateIn(timeZone, at).slice(0, 4))
    const no = (lastNumbers.get(year) ?? 0) + 1
    lastNumbers.set(year, no)
    const { answers } = answersOf(type.of.definition, type.of.answer(random), dateIn(timeZone, now))
    const ours = index % 61 === 7 ? resident : undefined
    const home = random.pick(households)
    const stranger = `${random.pick(firstNames)} ${random.pick(lastNames)}`
    const sender = {
      ours: ours?.id ?? null,
      name: ours?.name ?? (home?.email ? home.name : stranger),
      email: ours?.email ?? (home?.email || `${stranger.replaceAll(' ', '.')}@mail.example`).toLowerCase(),
      phone: home?.phone ?? '',
      cosigner: stranger,
    }
    const cents = feeOf(type.form, type.of.definition, answers)
    const age = (now.getTime() - at.getTime()) / DAY
    const unpaid = cents > 0 && random.chance(age < 10 ? 0.25 : 0.02)
    const limit = limitKeyOf(type.form, answers)
    const isSecond = limit !== null && usedLimits.has(`${type.id} ${limit}`)
    const status: SubmissionStatus = unpaid ? 0 : isSecond ? 2 : endOf(random, age)
    if (limit !== null && [0, 1, 3, 11].includes(status)) usedLimits.add(`${type.id} ${limit}`)
    const worker = random.pick(staff)
    const id = idOf(year, no)
    const history = scenarioOf({
      id,
      at,
      status,
      cents,
      unpaid,
      ours: sender.ours,
      name: sender.name,
      worker,
      random,
      now,
    })
    return { history, ...submissionOf({ id, at, type, answers, sender, cents, unpaid, limit, worker, history }, fees) }
  })
  return {
    rows: made.map(({ row }) => row),
    rounds: made.flatMap(({ rounds }) => rounds),
    history: made.flatMap(({ history }) => history),
    orders: made.flatMap(({ orders }) => orders).toSorted((a, b) => a.at.getTime() - b.at.getTime()),
    payables: new Map(made.flatMap(({ row, orders }) => orders.map(({ number }) => [number, row.id] as const))),
    lastNumbers,
  }
}

interface DemoSubmission {
  id: number
  at: Date
  type: CreatedType
  answers: Answers
  sender: { ours: number | null; name: string; email: string; phone: string; cosigner: string }
  cents: number
  unpaid: boolean
  limit: string | null
  worker: DemoPerson
  history: readonly DemoHistoryRow[]
}

/** Builds the rows of a submission with this history: the submission, its rounds and its paid order. */
function submissionOf(submission: DemoSubmission, fees: FeeBook) {
  const { id, at, type, answers, sender, cents, unpaid, limit, worker, history } = submission
  const { definition } = type.of
  const { name, email } = sender
  const decided = history.findLast(({ event }) => ['approve', 'reject', 'revoke'].includes(event))
  const last = history.at(-1)
  const lastAt = last?.at ?? at
  const end = last ? (Number(last.to) as SubmissionStatus) : 1
  const isRepeated = history.some(({ event }) => event === 'resubmit' || event === 'answer')
  const paidAt = cents > 0 && !unpaid ? new Date(at.getTime() + 4 * 60_000) : null
  const isAssigned = decided !== undefined || end === 11
  const row = {
    id,
    type_id: type.id,
    title: type.form.title,
    field_set_id: type.fieldSet,
    answers,
    limit_key: limit,
    answer_text: answersText(definition, answers),
    status: end,
    person_id: sender.ours,
    details: detailsOf(definition, answers),
    items: itemsOf(type.form.title, type.form, definition, answers),
    name,
    email,
    phone: sender.phone,
    fee_cents: cents,
    paid_cents: paidAt ? cents : 0,
    paid_at: paidAt,
    rounds: isRepeated ? 2 : 1,
    created_at: at,
    submitted_at: at,
    decided_at: decided?.at ?? null,
    decided_by: decided?.by ?? '',
    closed_at: [2, 3, 12, 13, 14].includes(end) ? lastAt : null,
    updated_at: lastAt,
    assigned_to: isAssigned ? worker.id : null,
    department_id: isAssigned ? null : type.form.departmentId,
    signer_name: type.form.cosigned ? sender.cosigner : '',
    signed_at: type.form.cosigned ? at : null,
  }
  const round = { id, set: type.fieldSet, by: name }
  const rounds = isRepeated
    ? [
        { ...round, no: 1, answers: lessOf(answers), at },
        { ...round, no: 2, answers, at: lastAt },
      ]
    : [{ ...round, no: 1, answers, at }]
  const openedAt = new Date(at.getTime() + 60_000)
  const orders = paidAt ? [orderOf(fees, type, { id, cents, name, email, answers, at: openedAt, paidAt })] : []
  return { row, rounds, orders }
}

/** Returns a final status for a submission of this age. `age` is in days. */
function endOf(random: Random, age: number): SubmissionStatus {
  if (age < 2) return 1
  const ends = {
    approved: 78,
    rejected: 7,
    withdrawn: 5,
    pending: age < 20 ? 30 : 1,
    infoRequested: age < 30 ? 12 : 1,
    revoked: 1,
    again: 4,
  }
  const end = random.weighted(ends)
  return ({ approved: 3, again: 3, rejected: 2, withdrawn: 12, pending: 1, infoRequested: 11, revoked: 13 } as const)[
    end
  ]
}

const detailsOf = (definition: DemoForm['definition'], answers: Answers) =>
  answersAsText(definition, answers)
    .filter(({ value }) => value !== '' && value.length <= 120)
    .slice(0, 6)
    .map(({ label, value }) => ({ name: label, value }))

/** Returns answers for the first round that differ from the final answers in one field. */
function lessOf(answers: Answers): Answers {
  for (const [name, answer] of Object.entries(answers))
    if (typeof answer === 'string' && answer.includes(' ')) return { ...answers, [name]: answer.split(' ')[0] ?? '' }
  return answers
}

interface SubmissionScenario {
  id: number
  at: Date
  status: SubmissionStatus
  cents: number
  unpaid: boolean
  /** Id of the demo resident. Null if another person sent the submission. */
  ours: number | null
  name: string
  worker: { id: number; name: string }
  random: Random
  now: Date
}

/** Returns the status changes of a submission so far. */
function scenarioOf({
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
}: SubmissionScenario): DemoHistoryRow[] {
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
  step('start', 10, 0, 'them')
  step('submit', cents > 0 ? 0 : 1, 0, 'them')
  if (unpaid || (cents > 0 && !step('pay', 1, 0.07, 'system'))) return steps
  if (status === 12) step('withdraw', 12, random.int(2, 60), 'them')
  else if (status === 11) step('request_info', 11, random.int(2, 40), 'staff', random.pick(questions))
  else if (status === 2) step('reject', 2, random.int(6, 90), 'staff', random.pick(rejections))
  else if (status === 3 || status === 13) {
    if (random.chance(0.08))
      if (
        !step('request_info', 11, random.int(4, 60), 'staff', random.pick(questions)) ||
        !step('answer', 1, random.int(3, 70), 'them')
      )
        return steps
    if (step('approve', 3, random.int(6, 140), 'staff') && status === 13)
      step('revoke', 13, random.int(200, 900), 'staff', 'The permit conditions were not met.')
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
    details: [{ name: 'reference', value: numberOf(id) }, ...detailsOf(definition, answers)],
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
    ...{
      person: null,
      methodLabel: `Visa ending ${String(id % 10_000).padStart(4, '0')}`,
      provider: PROVIDER,
      refunded: 0,
    },
    ...{ returnCode: null, disputed: false, paidAt, steps: paidSteps(at, paidAt) },
    attempts: [{ status: 1, step: 'succeeded', ref, error: null, at }],
    transfers: legsOf('capture', quote, false, ref, paidAt),
  }
}
