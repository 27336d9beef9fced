import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Faults of one line that the tests must catch, planted one at a time by `npm run test:mutants`. */
export interface Mutant {
  /** What would go wrong. */
  fault: string
  file: string
  /** Stands in the file exactly once. */
  from: string
  to: string
  /** The tests that must fail. */
  caughtBy: string[]
}

const EXACTLY_ONCE = 'features/payments/exactly-once.test.ts'
const LOST_ANSWERS = 'features/payments/lost-answers.test.ts'
const STATES = 'test/states.test.ts'
const PAYABLES = 'features/payments/payables.test.ts'
const AUTOPAY = 'features/autopay/autopay.test.ts'
const AUTOPAY_RULES = 'features/autopay/rules.test.ts'
const REFUNDS = 'features/payments/refunds.test.ts'
const COUNTER = 'features/counter/counter.test.ts'
const GENERAL = 'features/general-payments/general-payments.test.ts'
const PARKING = 'features/parking-tickets/parking-tickets.test.ts'
const ARRANGEMENTS = 'features/arrangements/arrangements.test.ts'
const LOCKBOX = 'features/lockbox/lockbox.test.ts'
const PHONE = 'features/phone-payments/phone-payments.test.ts'
const DESK = 'features/service-requests/desk.test.ts'
const REQUESTS = 'features/service-requests/walk.test.ts'
const STRIPE = 'features/payments/stripe.test.ts'
const TWO_PROVIDERS = 'features/payments/two-providers.test.ts'
const BACKUP = 'server/backup/backup.test.ts'

const NACHA = 'bankfile/nacha/nacha.test.ts'
const BANK_FILES = 'bankfile/bankfile.test.ts'
const BANKFILE_ADAPTER = 'features/payments/bankfile.test.ts'

export const mutants: Mutant[] = [
  {
    fault: 'a refund whose answer was lost is made a second time once Stripe has forgotten its key',
    file: 'features/payments/server/stripe/money-back.ts',
    from: '      if (made) return refundFrom(made)\n',
    to: '',
    caughtBy: [STRIPE],
  },
  {
    fault: 'an event of Stripe’s that is signed for a time to come is believed',
    file: 'features/payments/server/stripe/events.ts',
    from: 'signed - received / 1000 > TOLERANCE_SECONDS',
    to: 'signed < 0',
    caughtBy: [STRIPE],
  },
  {
    fault: 'the dispute of a bank debit counts as one of a card, and not as a return',
    file: 'features/payments/server/stripe/return-codes.ts',
    from: 'RETURNS.has(reason)',
    to: 'RETURNS.has(`${reason} `)',
    caughtBy: [STRIPE],
  },
  {
    fault: 'a refund goes to the provider that is configured first, whichever took the payment',
    file: 'features/payments/server/send-refund.ts',
    from: 'findProvider(house.config, attempt.provider)',
    to: "findProvider(house.config, attempt.provider && 'stripe')",
    caughtBy: [TWO_PROVIDERS],
  },
  {
    fault: 'a bank file is believed whatever its hash says',
    file: 'bankfile/nacha/check-batch.ts',
    from: "  same('batch-hash', 'entryHash', totals.hash, 'the sum of the entries’ bank numbers is')\n",
    to: '',
    caughtBy: [NACHA],
  },
  {
    fault: 'the same entry comes back twice, and is taken back twice',
    file: 'bankfile/returns.ts',
    from: "    if (entry.status === 'returned') return keep('twice', 'This entry came back before.')\n",
    to: '',
    caughtBy: [BANK_FILES],
  },
  {
    fault: 'a card is charged through a provider that has none',
    file: 'features/payments/server/bankfile.ts',
    from: "      if (wanted.method !== 'echeck') throw new ProviderRefused(ECHECKS_ALONE)\n",
    to: '',
    caughtBy: [BANKFILE_ADAPTER],
  },
  {
    fault: 'news of a payment that is settled already is applied again',
    file: 'features/payments/server/apply-intent.ts',
    from: '  if (settled(attempt)) return\n',
    to: '',
    caughtBy: [LOST_ANSWERS],
  },
  {
    fault: 'two tabs may pay the same bill at once: the account is not locked',
    file: 'features/utility-accounts/server/payable.ts',
    from: '      .forNoKeyUpdate()\n',
    to: '',
    caughtBy: [LOST_ANSWERS],
  },
  {
    fault: 'two tabs may pay the same things at once: nothing of what is paid is locked',
    file: 'features/payments/server/start-attempt.ts',
    from: '  await lockPayables(tx, company.id, paid, house.clock.now())\n',
    to: '',
    caughtBy: [EXACTLY_ONCE, PAYABLES],
  },
  {
    fault: 'things are locked in the order of the checkout, so that two wait for each other in a ring',
    file: 'features/payments/server/order-lines.ts',
    from: 'of inLockOrder(refs)',
    to: 'of refs',
    caughtBy: [PAYABLES],
  },
  {
    fault: 'a checkout is locked against those, too, who apply news of its order',
    file: 'features/payments/server/start-attempt.ts',
    from: ".forNoKeyUpdate('c')",
    to: ".forUpdate('c')",
    caughtBy: [PAYABLES],
  },
  {
    fault: 'a line is settled twice: what was settled before does not count',
    file: 'features/payments/server/book.ts',
    from: '- (was[n]?.billCents ?? 0)',
    to: '- 0',
    caughtBy: [PAYABLES, EXACTLY_ONCE],
  },
  {
    fault: 'a line that was reversed is not given back',
    file: 'features/payments/server/book.ts',
    from: '    else await payable.onReversed(tx, company, settlement)\n',
    to: '',
    caughtBy: [PAYABLES, EXACTLY_ONCE],
  },
  {
    fault: 'each line is told of all that went back',
    file: 'features/payments/server/book.ts',
    from: 'amountCents: Math.abs(changeCents)',
    to: 'amountCents: Math.abs(changed.reduce((sum, line) => sum + line.changeCents, 0))',
    caughtBy: [PAYABLES, EXACTLY_ONCE],
  },
  {
    fault: 'what is settled of a line is not written on it',
    file: 'features/payments/server/book.ts',
    from: 'SET settled_cents = s.cents',
    to: 'SET settled_cents = 0',
    caughtBy: [PAYABLES, EXACTLY_ONCE],
  },
  {
    fault: 'an order is not locked while news are applied',
    file: 'features/payments/server/orders.ts',
    from: "    .forUpdate('o')\n    .executeTakeFirstOrThrow()\n  const { moved",
    to: '    .executeTakeFirstOrThrow()\n  const { moved',
    caughtBy: [LOST_ANSWERS],
  },
  {
    fault: 'an attempt that nobody confirmed counts as declined without being cancelled at the provider',
    file: 'features/payments/server/refresh-attempt.ts',
    from: 'await cancel(house, created)',
    to: "{ ...(await providerNamed(house.config, created.provider).getIntent(created.provider_account, created.intent_id ?? '')), status: 'canceled' }",
    caughtBy: [LOST_ANSWERS],
  },
  {
    fault: 'a confirmation without an answer counts as declined',
    file: 'features/payments/server/drive-attempt.ts',
    from: '    if (!fetched) return null\n',
    to: "    if (!fetched) return { id: intentId, status: 'failed', amountCents: 0, refundedCents: 0, error: null, actionUrl: null, means: '', returnCode: null, companyId: null }\n",
    caughtBy: [LOST_ANSWERS],
  },
  {
    fault: 'an eCheck counts as paid while the bank still works on it',
    file: 'features/payments/server/apply-intent.ts',
    from: "if (intent.status === 'succeeded') await capture(known)",
    to: "if (intent.status === 'succeeded' || intent.status === 'processing') await capture(known)",
    caughtBy: [EXACTLY_ONCE],
  },
  {
    fault: 'what is under way is not counted when somebody pays in another tab',
    file: 'features/payments/server/order-lines.ts',
    from: 'owedCents = owed.owedCents - owed.pendingCents',
    to: 'owedCents = owed.owedCents',
    caughtBy: [EXACTLY_ONCE],
  },
  {
    fault: 'a cart costs another fee than its lines: each has that of the first',
    file: 'features/payments/server/order-lines.ts',
    from: 'fee_cents: quotes[n]?.feeCents ?? 0',
    to: 'fee_cents: quotes[0]?.feeCents ?? 0',
    caughtBy: [EXACTLY_ONCE, PAYABLES],
  },
  {
    fault: 'what was removed from a cart is still charged',
    file: 'features/payments/server/cart.ts',
    from: '{ payables: JSON.stringify(payables) }',
    to: '{ payables: JSON.stringify(cart.payables) }',
    caughtBy: [EXACTLY_ONCE, PAYABLES],
  },
  {
    fault: 'a cart is changed while a payment of it is under way',
    file: 'features/payments/server/cart.ts',
    from: "some(({ status }) => status === pending) ? 'paying' : 'paid'",
    to: "some(({ status }) => status === pending) ? 'open' : 'paid'",
    caughtBy: [PAYABLES],
  },
  {
    fault: 'somebody pays by a card that is kept for somebody else',
    file: 'features/payments/server/kept-methods.ts',
    from: ".where('person_id', '=', person)",
    to: ".where('person_id', '>', 0)",
    caughtBy: [AUTOPAY],
  },
  {
    fault: 'a card that was removed is still charged',
    file: 'features/payments/server/kept-methods.ts',
    from: ".where('removed_at', 'is', null)",
    to: ".where('created_at', 'is not', null)",
    caughtBy: [AUTOPAY],
  },
  {
    fault: 'what is not somebody’s own is put into their cart without being found',
    file: 'features/payments/server/cart-calls.ts',
    from: 'if (!theirs.includes(id))',
    to: 'if (!known)',
    caughtBy: [PAYABLES],
  },
  {
    fault: 'what was added in another tab is left out of the payment without a word',
    file: 'features/payments/server/agreed-bill.ts',
    from: '    wanted.some(({ no, owedCents }) => owedCents > 0 && !of.has(no)) ||\n',
    to: '',
    caughtBy: [PAYABLES],
  },
  {
    fault: 'a refund is shared out as if it were the first',
    file: 'features/payments/server/book.ts',
    from: 'const before = sharesOf(quotes, netOf(moved), namedBack(known))',
    to: 'const before = sharesOf(quotes, order.total_cents)',
    caughtBy: [LOST_ANSWERS],
  },
  {
    fault: 'a return counts for payments alone that are Successful',
    file: 'features/payments/server/apply-intent.ts',
    from: "  if (attempt.step === 'returned') return\n",
    to: "  if (attempt.step === 'returned' || order.status !== orderStatus.success) return\n",
    caughtBy: [LOST_ANSWERS],
  },
  {
    fault: 'a refund that is learned after the return is dropped',
    file: 'features/payments/server/apply-money-back.ts',
    from: "    await book({ ...known, comesBack }, 'refund', refund.id, refund.amountCents, { named: refund.line })\n",
    to: "    if (known.order.status === 1) await book({ ...known, comesBack }, 'refund', refund.id, refund.amountCents)\n",
    caughtBy: [LOST_ANSWERS, EXACTLY_ONCE],
  },
  {
    fault: 'what went back twice is forgotten',
    file: 'features/payments/rules.ts',
    from: 'payerCents: netCents - heldCents',
    to: 'payerCents: 0',
    caughtBy: [LOST_ANSWERS],
  },
  {
    fault: 'a payment that was refunded stays Refunded when the bank returns it',
    file: 'features/payments/rules.ts',
    from: 'moved.returned > 0 ? orderStatus.declined',
    to: 'moved.refunded === 0 ? orderStatus.declined',
    caughtBy: [LOST_ANSWERS],
  },
  {
    fault: 'a dispute that is won does not come back',
    file: 'features/payments/server/book.ts',
    from: "decided === 'won' && ",
    to: 'decided === null && ',
    caughtBy: [LOST_ANSWERS],
  },
  {
    fault: 'a dispute that is lost is paid a second time',
    file: 'features/payments/server/book.ts',
    from: "way === 'dispute_lost' ? 'dispute_reserve' : (known.cash ?? 'gateway_clearing')",
    to: "known.cash ?? 'gateway_clearing'",
    caughtBy: [LOST_ANSWERS, EXACTLY_ONCE],
  },
  {
    fault: 'what the provider’s account tells is read and not kept',
    file: 'features/payments/server/read-movements.ts',
    from: 'await keepMissing(house, tx, provider.name, page.movements)',
    to: '0',
    caughtBy: [LOST_ANSWERS],
  },
  {
    fault: 'only events tell of refunds: the provider’s account is not read',
    file: 'features/payments/server/reconcile.ts',
    from: 'readMovements(house, hasTime)',
    to: 'Promise.resolve(0)',
    caughtBy: [EXACTLY_ONCE],
  },
  {
    fault: 'another gateway’s account is never read, since the place is not one of its own',
    file: 'features/payments/server/read-movements.ts',
    from: 'if (place !== null && error instanceof ProviderRefused)',
    to: 'if (place === null && error instanceof ProviderRefused)',
    caughtBy: [LOST_ANSWERS],
  },
  {
    fault: 'a sweep tries a hundred events, and no more',
    file: 'features/payments/server/event-inbox.ts',
    from: 'if (events.length < BATCH) break',
    to: 'break',
    caughtBy: [LOST_ANSWERS],
  },
  {
    fault: 'an event that cannot be applied is tried for ever',
    file: 'features/payments/server/event-inbox.ts',
    from: 'tries >= ${MOST_TRIES}',
    to: 'tries < 0 AND tries >= ${MOST_TRIES}',
    caughtBy: [LOST_ANSWERS],
  },
  {
    fault: 'events are given up since the provider was away for a day',
    file: 'features/payments/server/event-inbox.ts',
    from: '!(error instanceof ProviderSilent)',
    to: '(!(error instanceof ProviderSilent) || true)',
    caughtBy: [LOST_ANSWERS],
  },
  {
    fault: 'money of a charge that nobody knows is passed over',
    file: 'features/payments/server/apply-event.ts',
    from: 'if (!found && heldOf(intent) !== 0)',
    to: 'if (!found && heldOf(intent) < 0)',
    caughtBy: [LOST_ANSWERS],
  },
  {
    fault: 'attempts of which nothing can be learned stay first in the row',
    file: 'features/payments/server/refresh-attempt.ts',
    from: '  await noteAsked(house, company, attempt)\n  const intent',
    to: '  const intent',
    caughtBy: [LOST_ANSWERS],
  },
  {
    fault: 'a line of the gateway’s account appears before one that was read already',
    file: 'provider-kit/movements.ts',
    from: '    await lockMovements(client)\n',
    to: '',
    caughtBy: ['gateway/gateway.test.ts'],
  },
  {
    fault: 'a gateway outlives the portal that was killed',
    file: 'gateway/main.ts',
    from: "process.once('disconnect', () => process.exit(0))",
    to: "process.once('disconnect', () => {})",
    caughtBy: ['portal/main.test.ts'],
  },
  {
    fault: 'the answer to a key is not kept',
    file: 'server/idempotency.ts',
    from: 'await settle(await handle())',
    to: 'await handle()',
    caughtBy: [EXACTLY_ONCE],
  },
  {
    fault: 'a return that arrives before the success is lost',
    file: 'features/payments/server/apply-intent.ts',
    from: "    if (intent.status === 'returned') {\n      await capture(known)\n",
    to: "    if (intent.status === 'returned') {\n",
    caughtBy: [EXACTLY_ONCE],
  },
  {
    fault: 'a town’s rows are shown to every town',
    file: 'server/tenancy.ts',
    from: "SET LOCAL app.company_id = '${Number(company)}'",
    to: "SET LOCAL app.company_id = '101'",
    caughtBy: ['test/catalogue.test.ts', 'test/calls.test.ts', 'features/companies/server/create-company.test.ts'],
  },
  {
    fault: 'a backup leaves out, without a word, the rows that its role may not see',
    file: 'server/backup/tables.ts',
    from: '  SET LOCAL row_security = off;\n',
    to: '',
    caughtBy: [BACKUP],
  },
  {
    fault: 'after a restore the tables’ owner sees every town',
    file: 'server/backup/load.ts',
    from: '} FORCE ROW LEVEL SECURITY`)',
    to: '} NO FORCE ROW LEVEL SECURITY`)',
    caughtBy: [BACKUP],
  },
  {
    fault: 'after a restore new payments get the numbers of old ones',
    file: 'server/backup/load.ts',
    from: "'SELECT setval($1::regclass, $2::bigint, $3)'",
    to: "'SELECT $1::regclass, $2::bigint, $3::boolean'",
    caughtBy: [BACKUP],
  },
  {
    fault: 'a table that was damaged in the archive is loaded',
    file: 'server/backup/check-archive.ts',
    from: 'if (found?.bytes !== table.bytes || ',
    to: 'if (found === undefined && ',
    caughtBy: [BACKUP],
  },
  {
    fault: 'what was refunded does not count when the ledger is looked through',
    file: 'features/payments/server/verify-ledger.ts',
    from: 'coalesce(h.captured - h.refunded - h.returned - h.lost - h.voided, 0) AS net',
    to: 'coalesce(h.captured - h.returned - h.lost - h.voided, 0) AS net',
    caughtBy: ['features/payments/verify-ledger.test.ts'],
  },
  {
    fault: 'what a thing says that was paid of it is not held against its lines',
    file: 'features/payments/server/verify-ledger.ts',
    from: 'WHERE coalesce(l.settled_cents, 0) <> coalesce(t.cents, 0)',
    to: 'WHERE false',
    caughtBy: ['features/payments/verify-ledger.test.ts', PAYABLES],
  },
  {
    fault: 'a return that was not posted goes unnoticed when the ledger is looked through',
    file: 'features/payments/server/verify-ledger.ts',
    from: '(coalesce(m.captured, false), coalesce(m.returned, false))',
    to: "(coalesce(m.captured, false), a.step = 'returned')",
    caughtBy: ['features/payments/verify-ledger.test.ts'],
  },
  {
    fault: 'what the provider moved and the ledger does not know is not compared',
    file: 'features/payments/server/verify-provider.ts',
    from: 'if (cents !== 0) differences.push(',
    to: 'if (cents === 0) differences.push(',
    caughtBy: ['features/payments/payments.test.ts'],
  },
  {
    fault: 'two who move a thing at the same moment both do: its row is not locked',
    file: 'features/calendar/server/move-item.ts',
    from: '      .forUpdate()\n',
    to: '',
    caughtBy: [STATES],
  },
  {
    fault: 'a step is taken from a state that it does not lead on from',
    file: 'server/states.ts',
    from: '  if (!step.from.includes(from)) throw refusal(machine, held, who)\n',
    to: '',
    caughtBy: [STATES],
  },
  {
    fault: 'a button is pressed by somebody without the right to it',
    file: 'server/states.ts',
    from: '  if (!mayTake(step, who)) throw notAllowed()\n',
    to: '',
    caughtBy: [STATES],
  },
  {
    fault: 'after a crash nobody knows that a charge of AutoPay is under way',
    file: 'features/autopay/server/charge.ts',
    from: "    state: 'charging',\n",
    to: '    state: charge.state,\n',
    caughtBy: [AUTOPAY],
  },
  {
    fault: 'a debit of AutoPay that is under way counts as never made, and is made again',
    file: 'features/autopay/server/settle.ts',
    from: "orderStatus.pending) return 'waiting'\n",
    to: "orderStatus.pending) {\n    await set({ state: 'planned', tries: charge.tries + 1 })\n    return 'waiting'\n  }\n",
    caughtBy: [AUTOPAY],
  },
  {
    fault: 'AutoPay asks a card again that its bank refused for good',
    file: 'features/autopay/rules.ts',
    from: 'if (hardDeclines.has(code)) return',
    to: "if (hardDeclines.has(code) && code === '') return",
    caughtBy: [AUTOPAY_RULES],
  },
  {
    fault: 'AutoPay charges more than the limit that its payer set',
    file: 'features/autopay/rules.ts',
    from: 'wanted > capCents)',
    to: 'wanted > 100 * capCents)',
    caughtBy: [AUTOPAY_RULES],
  },
  {
    fault: 'AutoPay charges for an account that was unlinked',
    file: 'features/autopay/server/charge.ts',
    from: 'if (!recurs || !(await recurs.isMine(tx, town.id, autopay.person_id, charge.payable_id))) {',
    to: 'if (!recurs) {',
    caughtBy: [AUTOPAY],
  },
  {
    fault: 'a refund above the limit passes with one person',
    file: 'features/payments/server/ask-refund.ts',
    from: 'const waits = amount_cents > refund_limit_cents',
    to: 'const waits = amount_cents < 0',
    caughtBy: [REFUNDS],
  },
  {
    fault: 'a plan whose installment is late beyond its grace is not seen',
    file: 'features/arrangements/server/look-after.ts',
    from: "} else if (isBroken && row.state === 'active') {",
    to: "} else if (isBroken && row.state === 'broken') {",
    caughtBy: [ARRANGEMENTS],
  },
  {
    fault: 'AutoPay takes the installments of a plan with the next bill',
    file: 'features/autopay/server/plan.ts',
    from: 'return owedCents - (plan?.remainingCents ?? 0)',
    to: 'return owedCents',
    caughtBy: [ARRANGEMENTS],
  },
  {
    fault: 'a refund that names a line may be larger than the line',
    file: 'features/payments/server/ask-refund.ts',
    from: 'if (amount > ofLine) {',
    to: 'if (amount > left) {',
    caughtBy: [REFUNDS],
  },
  {
    fault: 'what an event tells of a refund names no line',
    file: 'features/payments/server/apply-money-back.ts',
    from: "'refund', refund.id, refund.amountCents, { named: refund.line })",
    to: "'refund', refund.id, refund.amountCents)",
    caughtBy: [REFUNDS],
  },
  {
    fault: 'whoever asked for a refund approves it',
    file: 'features/payments/server/ask-refund.ts',
    from: "if (event === 'approve' && row.asked_by === personId)",
    to: "if (event === 'approve' && row.asked_by === -1)",
    caughtBy: [REFUNDS],
  },
  {
    fault: 'each try to send a refund has a key of its own at the provider',
    file: 'features/payments/server/send-refund.ts',
    from: 'const key = `${account}/refund-${row.id}`',
    to: 'const key = `${account}/refund-${row.id}-${Math.random()}`',
    caughtBy: [REFUNDS],
  },
  {
    fault: 'the count of a drawer ignores what was voided',
    file: 'features/counter/rules.ts',
    from: 'one.method === officeMethods.cash && isKept(one)',
    to: 'one.method === officeMethods.cash',
    caughtBy: [COUNTER],
  },
  {
    fault: 'a drawer is counted while a payment is taken into it',
    file: 'features/counter/server/drawers.ts',
    from: ".where('id', '=', id).forUpdate().executeTakeFirst()",
    to: ".where('id', '=', id).executeTakeFirst()",
    caughtBy: [COUNTER],
  },
  {
    fault: 'a number that somebody has is given to the next as well',
    file: 'features/general-payments/server/stock.ts',
    from: ' AND charge_id IS NULL\n      ORDER BY',
    to: '\n      ORDER BY',
    caughtBy: [GENERAL],
  },
  {
    fault: 'the number of whoever is about to pay is given to somebody else while their bank works on it',
    file: 'features/general-payments/server/stock.ts',
    from: 'AND l.payable_id = c.id AND o.status = 0)',
    to: 'AND l.payable_id = c.id AND o.status = 9)',
    caughtBy: [GENERAL],
  },
  {
    fault: 'whoever pays after their time keeps a number on the receipt that somebody else has',
    file: 'features/general-payments/server/payable.ts',
    from: '    const number = charge.has_number\n',
    to: '    const number = charge.stock_number\n',
    caughtBy: [GENERAL],
  },
  {
    fault: 'two pay the same ticket at once: it is not locked',
    file: 'features/parking-tickets/server/payable.ts',
    from: 'AND id = ${id} FOR NO KEY UPDATE`',
    to: 'AND id = ${id}`',
    caughtBy: [PARKING],
  },
  {
    fault: 'a late fee is added to a ticket that is contested',
    file: 'features/parking-tickets/server/take-steps.ts',
    from: "AND status = 'open' AND last_step_day",
    to: 'AND last_step_day',
    caughtBy: [PARKING],
  },
  {
    fault: 'a late fee is added to a ticket that is being paid',
    file: 'features/parking-tickets/server/take-steps.ts',
    from: 'AND l.payable_id = t.id AND o.status = 0)',
    to: 'AND l.payable_id = t.id AND o.status = 9)',
    caughtBy: [PARKING],
  },
  {
    fault: 'a ticket stays paid when the money goes back',
    file: 'features/parking-tickets/server/payable.ts',
    from: "  if (ticket.status === 'paid' && !covered) await move(tx, keptTickets, { ...wish, event: 'reverse' })\n",
    to: '',
    caughtBy: [PARKING],
  },
  {
    fault: 'a ticket that is upheld asks for money that came while it was contested',
    file: 'features/parking-tickets/server/change-status.ts',
    from: "    if (event === 'uphold') await agreeWithMoney(tx, { ...ticket, status: 'open' }, house.clock.now())\n",
    to: '',
    caughtBy: [EXACTLY_ONCE],
  },
  {
    fault: 'a ticket is contested while a payment of it is under way',
    file: 'features/parking-tickets/server/contest-ticket.ts',
    from: '  if ((await underWayOf(tx, company.id, ticket.id)) > 0) throw paymentUnderWay(ticket.citation)\n',
    to: '',
    caughtBy: [PARKING],
  },
  {
    fault: 'AutoPay counts a debit as paid that the bank still works on',
    file: 'features/autopay/server/settle.ts',
    from: '  if (order.status !== orderStatus.success || attempt.status !== 1) return false\n',
    to: '',
    caughtBy: [AUTOPAY],
  },
  {
    fault: 'a PIN that is keyed on the telephone is counted after it was looked at, and only where it was wrong',
    file: 'features/phone-payments/server/who-calls.ts',
    from: `const counted = await countTry(house, [perAccount(account), perCaller(\`\${company.id}/\${caller.phone}\`)])
    const person = await personOf(house, company, thing, caller)
    if (person === null) return 'wrong'
    await counted.giveBack()`,
    to: `const person = await personOf(house, company, thing, caller)
    if (person === null) {
      await countTry(house, [perAccount(account), perCaller(\`\${company.id}/\${caller.phone}\`)])
      return 'wrong'
    }`,
    caughtBy: [PHONE],
  },
  {
    fault: 'the bank’s trace number counts once a file, and again in the next',
    file: 'features/lockbox/server/take-file.ts',
    from: 'trace: line.trace,\n      file_name',
    to: 'trace: `${line.trace}-${Math.random()}`,\n      file_name',
    caughtBy: [LOCKBOX],
  },
  {
    fault: 'what staff note for themselves is read by whoever asked',
    file: 'server/cases/entries.ts',
    from: `kind === 'message' || kind === 'reply' ? 'everyone' : 'staff'`,
    to: `kind === 'message' || kind === 'reply' || kind === 'note' ? 'everyone' : 'staff'`,
    caughtBy: [REQUESTS],
  },
  {
    fault: 'whoever asked for a request that was merged hears of the other one no more',
    file: 'features/service-requests/server/desk-merge.ts',
    from: '    await bringFollowers(tx, call, row, into)\n',
    to: '',
    caughtBy: [REQUESTS],
  },
  {
    fault: 'whoever came with a first merge is let go when a second one is taken back',
    file: 'features/service-requests/server/desk-merge.ts',
    from: 'coalesce(f.came_from, f.request_id)',
    to: '${row.id}::bigint',
    caughtBy: [DESK],
  },
]

/** Those whose place below `root` was rewritten, so that they say nothing any more. */
export const lostMutants = (root: string): Mutant[] =>
  mutants.filter(({ file, from }) => readFileSync(join(root, file), 'utf8').split(from).length !== 2)
