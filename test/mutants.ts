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
    from: 'agreedQuote(wish, owedCents - pendingCents, settings)',
    to: 'agreedQuote(wish, owedCents + pendingCents * 0, settings)',
    caughtBy: [EXACTLY_ONCE],
  },
  {
    fault: 'a refund gives the fee back by what is left, not by what was given back before',
    file: 'features/payments/server/apply-intent.ts',
    from: 'feeRefund(order.fee_cents, order.total_cents, order.refunded_cents, refund.amountCents)',
    to: 'feeRefund(order.fee_cents, order.total_cents, 0, refund.amountCents)',
    caughtBy: [LOST_ANSWERS],
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
]
