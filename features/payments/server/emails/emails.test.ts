import { expect, test } from 'vitest'
import { openPools } from '../../../../server/db/pool.ts'
import { companyIdFrom } from '../../../../server/tenancy.ts'
import { testDatabase, testPortal } from '../../../../test/harness.ts'
import { emailReceipt } from './emails.ts'
import { findOrder } from '../orders/orders.ts'

test('writes a receipt without a second database connection', async () => {
  const database = await testDatabase({ demo: true })
  const pools = openPools(database.urls, 1)
  const { context } = await testPortal({ database: { ...database, pools } })
  const { rows } = await database.owner.query('SELECT company_id, id FROM payment_order WHERE status = 1 LIMIT 1')
  const company = companyIdFrom('import', rows[0].company_id)
  await context.inCompany(company, async (tx) =>
    emailReceipt({
      ...{ tx, context, company, order: await findOrder(tx, company, rows[0].id) },
      attempt: { provider: 'sandbox' },
    }),
  )
  const { rowCount } = await database.owner.query('SELECT FROM email_outbox WHERE company_id = $1', [company])
  expect(rowCount).toBe(1)
  await pools.close()
})
