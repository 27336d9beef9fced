import { findRecords } from '../shared/lookups.ts'
import { type BenchEnvironment, openPortal, plain, staffHeaders } from './environment.ts'
import { inTurns, p95, type Row, timeRow } from './measure.ts'
import { demoSize, fillCompany } from './rows.ts'

/** Size of the municipality, in multiples of the demo. */
const TIMES = 10
const SEARCHES = 100
const MAX_MS = 150

/**
 * Compares the search of the command bar with statements by hand on one connection, which read only the kinds of
 * records that match. The call also checks the session, counts the attempt and writes the audit entry.
 */
export async function find(environment: BenchEnvironment): Promise<Row[]> {
  const database = await environment.database()
  const size = {
    accounts: demoSize.accounts * TIMES,
    payments: demoSize.payments * TIMES,
    requests: demoSize.requests * TIMES,
  }
  await fillCompany(database.owner, size)
  await database.owner.query('VACUUM (ANALYZE) payment_order, utility_account, utility_bill, service_request')
  // The demo's member of staff may view all kinds of records, and the search has no limit here.
  await database.owner.query(`UPDATE person SET role_id = 5 WHERE email = 'staff@maplegrove.example'`)
  const portal = await openPortal(database, environment.folder)
  const headers = await staffHeaders(portal)
  const client = await plain(database)
  await client.query(
    `SELECT set_config('app.company_id', (SELECT id::text FROM company WHERE subdomain = 'maplegrove'), false)`,
  )
  const { rows: payers } = await database.owner.query<{ name: string }>(
    `SELECT payer_name AS name FROM payment_order ORDER BY id LIMIT $1`,
    [SEARCHES + 1],
  )
  const beside = async (
    what: string,
    searchOf: (n: number) => string,
    statement: string,
    valueOf: (n: number) => unknown,
  ) =>
    timeRow(
      `search for ${what}, ${TIMES} × the demo: p95`,
      await inTurns(
        SEARCHES,
        (n) => portal.post(findRecords.path, { search: searchOf(n) }, headers),
        (n) => client.query(statement, [valueOf(n)]),
        p95,
      ),
      null,
    )
  const byText = `SELECT 'payment', id, payer_name FROM (SELECT * FROM found_payment_order WHERE folded(search_text) LIKE like_part($1) ORDER BY id DESC LIMIT 5) p
    UNION ALL SELECT 'account', id, customer_name FROM (SELECT * FROM found_utility_account WHERE folded(name_key) LIKE like_part($1) LIMIT 5) a
    UNION ALL SELECT 'request', id, name FROM (SELECT * FROM found_service_request WHERE folded(search_text) LIKE like_part($1) ORDER BY id DESC LIMIT 5) r`
  const receipt = (n: number) => 1 + n * 97
  const rows = [
    await beside('a receipt', (n) => `P${receipt(n)}`, 'SELECT * FROM found_payment_order WHERE id = $1', receipt),
    await beside(
      'an account',
      (n) => `${200_001 + n}`,
      'SELECT * FROM utility_account WHERE account_number = $1',
      (n) => `${200_001 + n}`,
    ),
    await beside(
      'a name',
      (n) => payers[n]?.name ?? '',
      byText,
      (n) => payers[n]?.name,
    ),
    await beside(
      'part of an address',
      (n) => `${n} elm`,
      byText,
      (n) => `${n} elm`,
    ),
  ]
  await client.end()
  await portal.close()
  await database.drop()
  return rows.map((row) => ({ ...row, what: `${row.what} (goal ${MAX_MS} ms)` }))
}
