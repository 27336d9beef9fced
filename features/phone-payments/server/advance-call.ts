import { changeRow } from '../../../server/db/rows.ts'
import { Refusal } from '../../../server/errors.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { Company } from '../../../server/hosts.ts'
import { isOn } from '../../../server/modules.ts'
import type { TransitionActor } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { say, translated } from '../../../shared/messages.ts'
import { dateIn } from '../../../shared/dates.ts'
import { brandOfLabel, feeTermsFor, quoteBy } from '../../payments/rules-fees.ts'
import { receiptNumber, attemptStatus, orderStatus } from '../../payments/rules.ts'
import {
  startPayment,
  driveAttempt,
  findAttempt,
  findOrder,
  refreshAttempt,
  ensureProviderRoute,
  type ProviderRoute,
} from '../../payments/api.ts'
import {
  paymentStarted,
  end,
  requestPin,
  greet,
  hear,
  paymentNotStarted,
  notOffered,
  outcomeOf,
  proven,
  type Question,
  quoted,
  reportPayment,
  type PhoneResult,
  type CallStep,
} from '../rules.ts'
import { findByDigits, proveCaller } from './caller.ts'
import { phoneSettings } from './phone-settings.ts'

/** Code of Pay by Phone in the list of payment locations (spec 9.5). */
const PHONE = 3 as const
/**
 * In milliseconds. After this time the caller hears a wait message, because the voice provider hangs up after 15
 * seconds.
 */
const LISTENS_MS = 6000

export interface Line {
  voiceProvider: 'sandbox' | 'twilio'
  /** Id of the call at the voice provider. */
  id: string
  /** Caller's number with country code, `+1…`. */
  phone: string
}

export interface SpokenStep extends CallStep {
  /** Number of the step that the next request must send. */
  stepNo: number
}

type Call = Awaited<ReturnType<typeof findCall>> & object

const findCall = (tx: Tx, company: CompanyId, line: Line, lock = false) =>
  tx
    .selectFrom('phone_call')
    .selectAll()
    .where('company_id', '=', company)
    .where('voice_provider', '=', line.voiceProvider)
    .where('voice_provider_call_id', '=', line.id)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst()

const spokenStepOf = ({ step_no, step: spoken }: Call): SpokenStep => ({ ...(spoken as CallStep), stepNo: step_no })

/**
 * Handles one step of a call: the keys that the caller pressed after the previous step. If the step number is not
 * current, returns the latest step. The effects are saved together with the step, so they happen only once.
 */
export async function advanceCall(
  context: AppContext,
  company: Company,
  line: Line,
  stepNo: number,
  keyed: string,
): Promise<SpokenStep> {
  const call = await context.inCompany(company.id, (tx) => pickUp(tx, context, company, line))
  if (stepNo !== call.step_no) return spokenStepOf(call)
  const heard = stepNo === 0 ? null : hear(call.step as CallStep, keyed)
  if (heard === null) return step(context, company, line, call, call.step as CallStep)
  if (!('query' in heard)) return step(context, company, line, call, heard)
  if (heard.query === 'pay') return pay(context, company, line, call, heard)
  return step(context, company, line, call, await resolveQuestion(context, company, line, call, heard))
}

/** Finds the row of the call, or creates it with the greeting. */
async function pickUp(tx: Tx, context: AppContext, company: Company, line: Line): Promise<Call> {
  const before = await findCall(tx, company.id, line)
  if (before) return before
  const { enabled } = await phoneSettings(tx, company.id)
  const firstStep = enabled && isOn(company, 'phone') ? greet(company.name) : notOffered(company.name)
  await tx
    .insertInto('phone_call')
    .values({
      company_id: company.id,
      voice_provider: line.voiceProvider,
      voice_provider_call_id: line.id,
      phone: line.phone,
      step: JSON.stringify(firstStep),
      outcome: outcomeOf(firstStep),
      order_id: null,
      attempt_id: null,
      started_at: context.clock.now(),
      ended_at: enabled ? null : context.clock.now(),
    })
    .onConflict((on) => on.doNothing())
    .execute()
  const call = await findCall(tx, company.id, line)
  if (!call) throw new Error('a call that was written down is there')
  return call
}

/** Saves the next step. If a parallel request already saved a step, returns that step. */
const step = (
  context: AppContext,
  company: Company,
  line: Line,
  { step_no }: Call,
  nextStep: CallStep,
): Promise<SpokenStep> =>
  context.inCompany(company.id, async (tx) => {
    const call = await findCall(tx, company.id, line, true)
    if (!call || call.step_no !== step_no) return spokenStepOf(call as Call)
    return write(tx, context, company, call, nextStep)
  })

async function write(
  tx: Tx,
  context: AppContext,
  company: Company,
  call: Call,
  nextStep: CallStep,
  patch: Partial<Pick<Call, 'order_id' | 'attempt_id'>> = {},
): Promise<SpokenStep> {
  const { stage } = nextStep
  const reference = 'payable' in stage ? stage.payable.reference : 'open' in stage ? stage.open.payable.reference : ''
  const outcome = outcomeOf(nextStep)
  await changeRow(tx, 'phone_call', company.id, call.id, {
    ...patch,
    step: JSON.stringify(nextStep),
    step_no: call.step_no + 1,
    outcome,
    ...(reference !== '' && { reference }),
    ...(outcome !== 'talking' && { ended_at: context.clock.now() }),
  })
  return { ...nextStep, stepNo: call.step_no + 1 }
}

async function resolveQuestion(
  context: AppContext,
  company: Company,
  line: Line,
  call: Call,
  question: Exclude<Question, { query: 'pay' }>,
): Promise<CallStep> {
  const before = call.step as CallStep
  if (question.query === 'look') return reportPayment(question.stage, await becameOf(context, company, call))
  const { settings, needsPin } = await context.readingCompany(company.id, (tx) => phoneSettings(tx, company.id))
  if (question.query === 'quote') {
    const { open, chosenMethod, cents } = question
    const on = dateIn(company.timeZone, context.clock.now())
    const about = {
      on,
      kind: open.payable.kind,
      method: chosenMethod.method,
      location: PHONE,
      brand: brandOfLabel(chosenMethod.methodLabel),
    }
    const terms = feeTermsFor(settings.fees, about)
    const quote = quoteBy(terms, cents)
    return quoted(question, terms.mode === 'two_transactions' ? { ...quote, hasSeparateFee: true } : quote)
  }
  const payable = question.query === 'prove' ? question.payable : await payableOf(context, company, question.digits)
  if (question.query === 'find' && needsPin) return requestPin(before, payable)
  const pin = question.query === 'prove' ? question.pin : null
  return proven(before, await proveCaller(context, company, payable, { phone: line.phone, pin }, settings))
}

/**
 * Finds the payable of an account number. For an unknown account, returns a placeholder, so that the call still
 * requests the PIN.
 */
async function payableOf(context: AppContext, company: Company, digits: string) {
  const match = await context.readingCompany(company.id, (tx) => findByDigits(tx, company, digits))
  return match?.payable ?? { kind: '', id: 0, reference: digits }
}

/**
 * Saves the order, its payment attempt and the call step that waits for the result in one transaction, before the
 * portal calls the provider.
 */
async function pay(
  context: AppContext,
  company: Company,
  line: Line,
  { step_no }: Call,
  question: Extract<Question, { query: 'pay' }>,
): Promise<SpokenStep> {
  const startCharge = async (): Promise<{ step: SpokenStep; attemptId?: number; stored?: string }> => {
    const { settings } = await context.readingCompany(company.id, (tx) => phoneSettings(tx, company.id))
    const through = await ensureProviderRoute(context, company, settings)
    return context.inCompany(company.id, async (tx) => {
      const call = await findCall(tx, company.id, line, true)
      if (!call || call.step_no !== step_no) return { step: spokenStepOf(call as Call) }
      const { attempt, stored } = await startFor(tx, context, company, call, question, through)
      const nextStep = await write(
        tx,
        context,
        company,
        call,
        paymentStarted(question, receiptNumber(attempt.order_id)),
        {
          order_id: attempt.order_id,
          attempt_id: attempt.id,
        },
      )
      return { step: nextStep, attemptId: attempt.id, stored }
    })
  }
  const started = await startCharge().catch(async (error: unknown) => {
    if (!(error instanceof Refusal)) throw error
    const call = { step_no } as Call
    return { step: await step(context, company, line, call, paymentNotStarted(translated(error.message))) }
  })
  if (!('stored' in started) || started.stored === undefined || started.attemptId === undefined) return started.step
  const driven = driveAttempt(context, company, started.attemptId, { stored: started.stored }, '').catch(
    (error: unknown) => {
      context.log.warn({ err: error, attempt: started.attemptId }, 'a payment by phone is looked at again')
    },
  )
  const isDone = await Promise.race([
    driven.then(() => true),
    new Promise<false>((done) => setTimeout(done, LISTENS_MS, false)),
  ])
  return isDone ? advanceCall(context, company, line, started.step.stepNo, '') : started.step
}

async function startFor(
  tx: Tx,
  context: AppContext,
  company: Company,
  call: Call,
  { open, cents, chosenMethod, quote }: Extract<Question, { query: 'pay' }>,
  through: ProviderRoute,
) {
  const method = await tx
    .selectFrom('stored_method as m')
    .innerJoin('person as p', (on) => on.onRef('p.company_id', '=', 'm.company_id').onRef('p.id', '=', 'm.person_id'))
    .select(['m.provider_method', 'm.method', 'm.method_label', 'p.email', 'p.first_name', 'p.last_name'])
    .where('m.company_id', '=', company.id)
    .where('m.id', '=', chosenMethod.id)
    .where('m.person_id', '=', open.person)
    .where('m.removed_at', 'is', null)
    .where('m.unusable', '=', '')
    .where('m.provider', '=', through.provider)
    .executeTakeFirst()
  if (!method) throw new Refusal(409, 'unusable', say`${chosenMethod.methodLabel} is no longer saved.`)
  const name = `${method.first_name} ${method.last_name}`.trim()
  const attempt = await startPayment(
    tx,
    context,
    company,
    {
      pays: [{ kind: open.payable.kind, id: open.payable.id, amountCents: cents }],
      method: chosenMethod.method,
      location: PHONE,
      payer: { actor: byPhone(context, open.person, name), person: open.person, email: method.email },
      methodLabel: method.method_label,
      key: `phone-call-${call.id}/${call.step_no}`,
      asCredit: true,
    },
    through,
  )
  const order = await findOrder(tx, company.id, attempt.order_id)
  if (order.total_cents !== quote.totalCents)
    throw new Refusal(409, 'amount_changed', say`The total has changed. Nothing was paid.`)
  return { attempt, stored: method.provider_method }
}

/** Builds the actor for a caller. The PIN identifies the caller, who has no session. */
const byPhone = ({ clock }: AppContext, person: number, name: string): TransitionActor => ({
  as: 'requester',
  caller: { session: null, requestId: '', resident: person },
  clock,
  person: { id: person, name },
})

/** Loads the result of the payment that a call waits for. If the result is unknown, asks the provider for it again. */
async function becameOf(context: AppContext, company: Company, { order_id, attempt_id }: Call): Promise<PhoneResult> {
  if (order_id === null || attempt_id === null) throw new Error('a call that waits has a payment')
  const read = () =>
    context.inCompany(company.id, async (tx) => ({
      order: await findOrder(tx, company.id, order_id),
      attempt: await findAttempt(tx, company.id, attempt_id),
    }))
  const before = await read()
  if (before.attempt.status === attemptStatus.pending) await refreshAttempt(context, company, before.attempt)
  const { order, attempt } = await read()
  if (order.status === orderStatus.success) return 'paid'
  if (attempt.status !== attemptStatus.pending) return 'declined'
  return attempt.step === 'processing' ? 'processing' : 'working'
}

/** Ends the call after a hang-up. A payment that the caller confirmed continues, and the portal emails its result. */
export const hangUp = (context: AppContext, company: Company, line: Line): Promise<void> =>
  context.inCompany(company.id, async (tx) => {
    const call = await findCall(tx, company.id, line, true)
    if (!call || call.outcome !== 'talking') return
    const { stage } = call.step as CallStep
    await write(tx, context, company, call, end(stage.at === 'paying' ? 'unknown' : 'left'))
  })
