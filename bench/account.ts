import { DEMO_PASSWORD } from '../features/identity/demo.ts'
import { inTurns, p95, type Row, timeRow } from './measure.ts'
import { type BenchPortal, openPortal, type BenchEnvironment, plain } from './environment.ts'

const ACCOUNTS = 2000
const MONTHS = 120

/**
 * Times the two calls for the page of one utility account with ten years of bills and readings, among 2,000 similar
 * accounts. Compares their p95 with a direct query of the same rows, without session and HTTP.
 */
export async function account(environment: BenchEnvironment): Promise<Row[]> {
  const database = await environment.database()
  const { owner } = database
  const { rows: companies } = await owner.query<{ id: number }>(`SELECT id FROM company WHERE subdomain = 'maplegrove'`)
  const company = companies[0]?.id ?? 0
  await owner.query(
    `INSERT INTO utility_account (company_id, id, account_number, customer_name, service_address, city, state, zipcode)
     SELECT $1, n, 'B' || n, 'Customer ' || n, n || ' Elm Street', 'Maple Grove', 'PA', '17011' FROM generate_series(1, $2) n`,
    [company, ACCOUNTS],
  )
  await owner.query(
    `INSERT INTO utility_bill (company_id, account_id, bill_number, bill_date, due_date, period_start, period_end, lines, amount_cents)
     SELECT $1, n, m || '/' || n, day, day + 21, day - 31, day - 1, jsonb_build_array(jsonb_build_object('service', 'Water', 'description', '', 'quantity', m % 9, 'unit', 'gallons', 'amountCents', 5000 + m)), 5000 + m
     FROM generate_series(1, $2) n, generate_series(0, $3) m, LATERAL (SELECT (now() - m * interval '1 month')::date AS day) d`,
    [company, ACCOUNTS, MONTHS - 1],
  )
  await owner.query(
    `INSERT INTO meter_reading (company_id, account_id, meter_number, read_date, service, unit, reading, used, days, kind, imported_at)
     SELECT company_id, account_id, 'M', period_end, 'Water', 'gallons', 1, 4, 30, 'actual', now() FROM utility_bill WHERE company_id = $1`,
    [company],
  )
  await owner.query(
    `INSERT INTO linked_account (company_id, person_id, account_id, linked_at)
     SELECT $1, p.id, n, now() FROM person p, generate_series(1, $2) n WHERE p.email = 'resident@maplegrove.example'`,
    [company, ACCOUNTS],
  )
  await owner.query('ANALYZE utility_account, utility_bill, meter_reading, linked_account')
  const portal = await openPortal(database, environment.folder)
  const client = await plain(database)
  const headers = await resident(portal, company)
  const accountIdAt = (iteration: number) => 1 + ((iteration * 7919) % ACCOUNTS)
  const since = `now() - interval '24 months'`
  const of = 'company_id = $1 AND account_id = $2'
  const times = await inTurns(
    200,
    (iteration) =>
      Promise.all(
        ['return/utility/account', 'return/utility/year'].map((path) =>
          portal.post(path, { accountId: accountIdAt(iteration) }, headers),
        ),
      ),
    async (iteration) => {
      await client.query(`BEGIN; SELECT set_config('app.company_id', '${company}', true)`)
      for (const rows of [
        `SELECT * FROM utility_bill WHERE ${of} AND bill_date >= ${since} ORDER BY bill_date DESC`,
        `SELECT * FROM meter_reading WHERE ${of} AND read_date >= ${since} ORDER BY read_date`,
        `SELECT * FROM remittance WHERE ${of} AND at >= ${since}`,
        `SELECT sum(amount_cents - paid_elsewhere_cents) FROM utility_bill WHERE ${of}`,
      ])
        await client.query(rows, [company, accountIdAt(iteration)])
      await client.query('COMMIT')
    },
    p95,
  )
  await client.end()
  await portal.close()
  await database.drop()
  return [timeRow('the page of a utility account with ten years of bills, p95', times, null)]
}

async function resident(portal: BenchPortal, companyId: number): Promise<Record<string, string>> {
  const body = { companyId, email: 'resident@maplegrove.example', password: DEMO_PASSWORD }
  const { token } = await portal.post<{ token: string }>('login', body)
  return { authorization: `Bearer ${token}` }
}
