import { randomUUID } from 'node:crypto'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { conflict, notAllowed, notFound, rejected, Refusal } from '../../../server/errors.ts'
import { actorOf } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatCents, MAX_CENTS } from '../../../shared/money.ts'
import { say } from '../../../shared/messages.ts'
import { methods, OFFICE, orderStatus, receiptNumber, attemptStatus } from '../../payments/rules.ts'
import {
  findAttemptByKey,
  startPayment,
  drive,
  findPayment,
  type Payment,
  findOrder,
  latestAttempt,
  allPayables,
  ProviderRefused,
  ProviderSilent,
  type TerminalVerbs,
  fieldsOf,
  NO_HOSTED_FIELDS,
  findProvider,
  dropAttempt,
  refreshAttempt,
  ensureProviderAccount,
  settingsOf,
  type ProviderRoute,
  ensureProviderRoute,
} from '../../payments/api.ts'
import {
  cancelCardPayment,
  cardPayment,
  cardReaders,
  pairCardReader,
  removeCardReader,
  takeCardPayment,
} from '../contract.ts'
import { lockDrawer } from './drawers.ts'

type State = ResponseOf<typeof cardPayment>

const SILENT =
  'The payment provider cannot be reached right now. The card reader was not changed. Please try again in a few minutes.'

/** Reads which provider methods the company uses at its counter. */
async function methodsOf(tx: Tx, { company }: Call) {
  const row = await tx
    .selectFrom('payment_settings')
    .select(['has_card_reader', 'has_tele_check'])
    .where('company_id', '=', company.id)
    .executeTakeFirstOrThrow()
  return { cards: row.has_card_reader === 1, checks: row.has_tele_check === 1 }
}

/** Returns the provider's response. If the provider refuses the request, throws an error with a message for staff. */
async function callProvider<T>(
  work: () => Promise<T>,
  refusal = say`The payment provider rejected the request. Reload the page and try again.`,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ProviderRefused) throw rejected(refusal, { code: error.message })
    if (error instanceof ProviderSilent) throw new Refusal(503, 'provider_unreachable', SILENT)
    throw error
  }
}

async function terminalOf(call: Call): Promise<{ terminal: TerminalVerbs; account: string }> {
  const { context, company } = call
  const { settings, cards } = await call.reading(async (tx) => ({
    settings: await settingsOf(tx, company.id),
    ...(await methodsOf(tx, call)),
  }))
  const terminal = findProvider(context.config, settings.provider)?.terminal
  if (!terminal || !cards)
    throw conflict(
      'no_readers',
      'Card readers are not set up for the counter. Check the municipality’s payment settings.',
    )
  return { terminal, account: await callProvider(() => ensureProviderAccount(context, company, settings)) }
}

export const cardReadersCall = implement(cardReaders, async (call) => {
  const { context, company } = call
  const { settings, ...methods } = await call.reading(async (tx) => ({
    settings: await settingsOf(tx, company.id),
    ...(await methodsOf(tx, call)),
  }))
  if (!methods.cards && !methods.checks) return { ...methods, readers: [], gateway: NO_HOSTED_FIELDS }
  // An outage of the payment provider must not disable the counter, because staff can still take cash.
  const gateway = await fieldsOf(context, company, settings)
  const terminal = findProvider(context.config, settings.provider)?.terminal
  const readers = methods.cards && gateway.account !== '' ? await terminal?.list(gateway.account).catch(() => []) : []
  return { ...methods, readers: readers ?? [], gateway }
})

export const pairCardReaderCall = implement(pairCardReader, async (call) => {
  const { terminal, account } = await terminalOf(call)
  const { name, address1: street, city, state, zipcode: zip } = call.company
  const pairingRequest = { ...call.body, address: { name, street, city, state, zip } }
  // A new idempotency key, so that a removed reader can be paired again with the same code and name.
  const reader = await callProvider(
    () => terminal.pair(account, pairingRequest, `pair-${randomUUID()}`),
    say`No card reader has this code. Check the code and enter it again.`,
  )
  await call.inCompany((tx) => call.audit(tx, { action: 'counter.reader_paired', detail: { label: reader.label } }))
  return { success: true as const, message: say`Card reader “${reader.label}” was paired.` }
})

/** Removes a card reader. The audit log still shows the reader, and each payment still has its payment method. */
export const removeCardReaderCall = implement(removeCardReader, async (call) => {
  const { terminal, account } = await terminalOf(call)
  const { id } = call.body
  const reader = (await callProvider(() => terminal.list(account))).find((one) => one.id === id)
  if (!reader) throw notFound('This card reader was already removed. Reload the page.')
  try {
    await callProvider(() => terminal.remove(account, id, `remove-${id}-${randomUUID()}`))
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 422) throw error
    throw conflict(
      'reader_busy',
      say`Card reader “${reader.label}” is waiting for a card payment. Remove the reader after the payment ends.`,
    )
  }
  await call.inCompany((tx) => call.audit(tx, { action: 'counter.reader_removed', detail: { label: reader.label } }))
  return { success: true as const, message: say`Card reader “${reader.label}” was removed.` }
})

type Body = Parameters<Parameters<typeof implement<typeof takeCardPayment>>[1]>[0]['body']

/**
 * Starts a provider payment at the counter. One transaction saves the order, its attempt and the drawer link. Then the
 * reader waits for the card, or the check's account is charged. A repeated idempotency key returns the payment of the
 * first call.
 */
export const takeCardPaymentCall = implement(takeCardPayment, async (call): Promise<State> => {
  const { context, company, body } = call
  const methods = await call.reading((tx) => methodsOf(tx, call))
  const isCheck = 'methodToken' in body.by
  if (isCheck ? !methods.checks : !methods.cards)
    throw conflict(
      'not_offered',
      say`The municipality’s payment settings do not allow this payment method at the counter.`,
    )
  const settings = await call.reading((tx) => settingsOf(tx, company.id))
  // The company's limits apply only to online payments.
  const counterSettings = { ...settings, limits: { minCents: 1, maxCents: MAX_CENTS } }
  const through = await ensureProviderRoute(context, company, counterSettings)
  const attempt = await call.inCompany((tx) => startCardPayment(tx, call, through))
  const started = await findPayment(context, company, attempt.id)
  const source = 'reader' in body.by ? { reader: body.by.reader } : { token: body.by.methodToken }
  return stateOf(
    (await drive(context, company, started, source, '')) ?? (await findPayment(context, company, attempt.id)),
  )
})

async function startCardPayment(tx: Tx, call: Call<Body>, through: ProviderRoute) {
  const { context, company, body, idempotencyKey: key } = call
  const drawer = await lockDrawer(tx, company.id, body.drawerId)
  const before = await findAttemptByKey(tx, company, key)
  if (before) return before
  if (drawer.staff_id !== signedIn(call).personId) throw notAllowed(say`This drawer belongs to another staff member.`)
  if (drawer.status !== 'open')
    throw conflict('wrong_status', say`Your drawer is closed. Open a drawer to take payments. No payment was recorded.`)
  if (body.pays.some(({ kind }) => !allPayables().some((payable) => payable.kind === kind)))
    throw rejected(say`One of the selected items cannot be paid at the counter. Remove that item and search again.`)
  const attempt = await startPayment(
    tx,
    context,
    company,
    {
      pays: body.pays,
      method: 'reader' in body.by ? methods.card : methods.echeck,
      location: OFFICE,
      payer: { actor: actorOf(call), person: null, email: body.email },
      key,
      asCredit: true,
      confirmsCredit: true,
    },
    through,
  )
  const { total_cents } = await findOrder(tx, company.id, attempt.order_id)
  await tx
    .insertInto('drawer_payment')
    .values({
      company_id: company.id,
      order_id: attempt.order_id,
      drawer_id: drawer.id,
      tendered_cents: total_cents,
      change_cents: 0,
    })
    .execute()
  return attempt
}

/**
 * Finds a counter payment with its newest attempt.
 * @throws 404 if the counter has no such payment
 */
async function atCounter(call: Call, orderId: number): Promise<Payment> {
  return call.inCompany(async (tx) => {
    const drawerPayment = await tx
      .selectFrom('drawer_payment')
      .select('order_id')
      .where('company_id', '=', call.company.id)
      .where('order_id', '=', orderId)
      .executeTakeFirst()
    const attempt = drawerPayment && (await latestAttempt(tx, call.company.id, orderId))
    if (!attempt) throw notFound('This payment was not found.')
    return { order: await findOrder(tx, call.company.id, orderId), attempt }
  })
}

/** Returns the payment status. Queries the provider again as long as the payment has no outcome. */
export const cardPaymentCall = implement(cardPayment, async (call) => {
  const { attempt } = await atCounter(call, call.body.paymentId)
  await refreshAttempt(call.context, call.company, attempt)
  return stateOf(await atCounter(call, call.body.paymentId))
})

/**
 * Cancels the payment at the reader. If the payer presented the card first, the payment is not cancelled, and the
 * response shows the actual status.
 */
export const cancelCardPaymentCall = implement(cancelCardPayment, async (call) => {
  const { attempt } = await atCounter(call, call.body.paymentId)
  await dropAttempt(call.context, call.company, attempt)
  return stateOf(await atCounter(call, call.body.paymentId))
})

function stateOf({ order, attempt }: Payment): State {
  const receipt = receiptNumber(order.id)
  const paymentData = { paymentId: order.id, receipt, totalCents: order.total_cents }
  const total = formatCents(order.total_cents)
  if (order.status === orderStatus.success)
    return { ...paymentData, state: 'paid', message: say`Payment of ${total} received. Receipt number: ${receipt}.` }
  if (attempt.step === 'requires_action')
    return { ...paymentData, state: 'waiting', message: say`Waiting for a card payment of ${total}.` }
  if (attempt.step === 'processing')
    return {
      ...paymentData,
      state: 'processing',
      message: say`The bank debit of ${total} is processing. It takes a few business days.`,
    }
  if (attempt.status === attemptStatus.pending)
    return { ...paymentData, state: 'working', message: say`Contacting the payment provider.` }
  if (attempt.step === 'failed')
    return {
      ...paymentData,
      state: 'declined',
      message: say`Payment declined. ${attempt.error_message ?? ''} Nothing was charged.`,
    }
  return { ...paymentData, state: 'cancelled', message: say`Payment cancelled. Nothing was charged.` }
}
