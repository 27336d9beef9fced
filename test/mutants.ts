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
const BACKUP = 'server/backup/backup.test.ts'

export const mutants: Mutant[] = [
  {
    fault: 'news of a payment that is settled already is applied again',
    file: 'features/payments/server/apply-intent.ts',
    from: '  if (settled(attempt)) return\n',
    to: '',
    caughtBy: [EXACTLY_ONCE],
  },
  {
    fault: 'two tabs may pay the same bill at once: the account is not locked',
    file: 'features/payments/server/start-attempt.ts',
    from: '    .forNoKeyUpdate()\n',
    to: '',
    caughtBy: [EXACTLY_ONCE],
  },
  {
    fault: 'an order is not locked while news are applied',
    file: 'features/payments/server/orders.ts',
    from: '.forUpdate()',
    to: '',
    caughtBy: [LOST_ANSWERS],
  },
  {
    fault: 'an attempt that nobody confirmed counts as declined without being cancelled at the provider',
    file: 'features/payments/server/refresh-attempt.ts',
    from: 'await cancel(house, created)',
    to: "{ ...(await providerOf(house.config).getIntent(created.provider_account, created.intent_id ?? '')), status: 'canceled' }",
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
    file: 'features/payments/server/start-attempt.ts',
    from: 'const owed = owedCents - pendingCents\n',
    to: 'const owed = owedCents + pendingCents * 0\n',
    caughtBy: [EXACTLY_ONCE],
  },
  {
    fault: 'a refund is shared out as if it were the first',
    file: 'features/payments/server/book.ts',
    from: 'const before = sharesOf(quote, netOf(moved))',
    to: 'const before = sharesOf(quote, order.total_cents)',
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
    from: "    await book(known, 'refund', refund.id, refund.amountCents)\n",
    to: "    if (known.order.status === 1) await book(known, 'refund', refund.id, refund.amountCents)\n",
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
    from: "way === 'dispute_lost' ? 'dispute_reserve' : 'gateway_clearing'",
    to: "'gateway_clearing'",
    caughtBy: [LOST_ANSWERS, EXACTLY_ONCE],
  },
  {
    fault: 'what the provider’s account tells is read and not kept',
    file: 'features/payments/server/read-movements.ts',
    from: 'await keepMissing(house, tx, page.movements)',
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
    file: 'gateway/movements.ts',
    from: "    await client.query(`SELECT pg_advisory_xact_lock(hashtext('sandbox_gateway.movement'))`)\n",
    to: '',
    caughtBy: ['gateway/gateway.test.ts'],
  },
  {
    fault: 'a gateway outlives the portal that was killed',
    file: 'gateway/main.ts',
    from: "process.once('disconnect', () => process.exit(0))",
    to: "process.once('disconnect', () => {})",
    caughtBy: ['server/main.test.ts'],
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
    from: 'coalesce(h.captured - h.refunded - h.returned - h.lost, 0) AS net',
    to: 'coalesce(h.captured - h.returned - h.lost, 0) AS net',
    caughtBy: ['features/payments/verify-ledger.test.ts'],
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
]
