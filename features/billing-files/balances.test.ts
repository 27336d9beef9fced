import { beforeAll, describe, expect, it } from 'vitest'
import { testPortal } from '../../test/harness.ts'

/** Balances without bills: import, amount due, guest payment page and payments that are not posted yet. */

const HOST = 'maplegrove.localhost'
const portal = await testPortal({ demo: true })
let token = ''

beforeAll(async () => {
  token = await portal.signIn(HOST, 'admin@maplegrove.example')
})

const HEAD = 'Acct No,Name,Address,Balance,Due'

async function importBalances(lines: string[], more: Record<string, string> = {}) {
  const data = new FormData()
  const fields = { mode: 'import', columns: '', day: '2026-11-19', remittance: '0', ...more }
  for (const [field, value] of Object.entries(fields)) data.append(field, value)
  data.append('file', new Blob([[HEAD, ...lines].join('\n')]), 'balances.csv')
  const sent = new Response(data)
  const { statusCode, payload } = await portal.app.inject({
    ...{ method: 'POST', url: '/api/v2/muni/import/account/balances' },
    payload: Buffer.from(await sent.arrayBuffer()),
    headers: { host: HOST, authorization: `Bearer ${token}`, 'content-type': sent.headers.get('content-type') ?? '' },
  })
  return { status: statusCode, body: JSON.parse(payload) }
}

/** Finds an account as a guest. Returns its item to pay. */
async function asGuest(accountNumber: string, zip: string, fact = '') {
  const result = await portal.post(HOST, 'find/guest/bill', { accountNumber, zip, fact })
  if (result.status !== 200) return null
  const { body } = await portal.post(HOST, 'return/guest/checkout', { token: result.body.token })
  return body.payables[0]
}

const one = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row> =>
  (await portal.owner.query<Row>(text, values)).rows[0] as Row

describe('import of balances', () => {
  it('reads names with the last name first, and numbers that residents type without zeros', async () => {
    await portal.owner.query("UPDATE payment_settings SET guest_proof = 'last_name'")
    const lines = [
      '00071001,MILLER HAL,12 Oak Street,10.00,',
      '00071002,VAN DYKE MARY,14 Oak Street,20.00,',
      '00071003,OAKS ROBERT JR,16 Oak Street,30.00,',
      '0071003,GROVE HARDWARE STORE,18 Oak Street,40.00,',
    ]
    const { columns } = (await importBalances(lines, { mode: 'preview' })).body
    expect([columns.isOpen, columns.headers[1]]).toEqual([
      true,
      expect.objectContaining({
        to: 'customer_name_last_first',
        warning: 'The portal guessed this column by its values.',
      }),
    ])
    const names = columns.headers.map(({ to }: { to: string }) => to)
    const chosen = { columns: JSON.stringify({ columns: names, values: {} }) }
    const { rows } = (await importBalances(lines, { mode: 'preview', ...chosen })).body
    expect(rows.created[0].fields).toContainEqual({ title: 'Customer name', value: 'MILLER, HAL' })
    expect((await importBalances(lines, chosen)).body).toMatchObject({ imported: true, created: 4 })
    // The portal remembers the choice for the next file with these columns.
    expect((await importBalances(lines)).body).toMatchObject({ created: 0, changed: 0, unchanged: 4 })

    const of = (owedCents: number, value: string) => ({
      owedCents,
      details: expect.arrayContaining([{ name: 'customer', value }]),
    })
    expect(await asGuest('00071001', '17011', 'Miller')).toMatchObject(of(1000, 'H. MILLER'))
    expect(await asGuest('71001', '17011', 'Hal')).toBeNull()
    expect(await asGuest('71001', '17011', 'Miller')).toMatchObject({ owedCents: 1000 })
    expect(await asGuest('0071002', '17011', 'Van Dyke')).toMatchObject(of(2000, 'M. VAN DYKE'))
    // Two accounts differ only in their zeros, so only the exact numbers find them.
    expect(await asGuest('71003', '17011', 'Oaks')).toBeNull()
    expect(await asGuest('00071003', '17011', 'Oaks')).toMatchObject({ owedCents: 3000 })
  })

  it('makes accounts that guests find and pay', async () => {
    await portal.owner.query("UPDATE payment_settings SET guest_proof = 'none'")
    const preview = await importBalances(['BAL-1,Ann Lee,12 Oak Street,149.31,2026-12-01'], { mode: 'preview' })
    expect(preview.body).toMatchObject({ imported: false, created: 1, balanceCents: 14931, adjustedCents: 14931 })
    expect(await asGuest('BAL-1', '17011')).toBeNull()
    const done = await importBalances([
      'BAL-1,Ann Lee,12 Oak Street,149.31,2026-12-01',
      'BAL-2,Bo Lee,"14 Oak Street, Maple Grove, PA 17055",20.00,2026-12-01',
    ])
    expect(done.body, JSON.stringify(done.body)).toMatchObject({ imported: true, created: 2, errorCount: 0 })
    expect(await asGuest('BAL-1', '17011')).toMatchObject({ owedCents: 14931, dueDate: null, nothingYet: null })
    expect(await asGuest('BAL-2', '17055')).toMatchObject({ owedCents: 2000 })
    expect(
      await one(
        "SELECT reason, adjusted_on::text AS day FROM utility_adjustment WHERE adjustment_number = 'BALANCE-2026-11-19-BAL-1'",
      ),
    ).toEqual({ reason: 'Balance as of November 19, 2026', day: '2026-11-19' })
  })

  it('accepts the balance as the proof of a guest, because the account has no bill', async () => {
    await portal.owner.query("UPDATE payment_settings SET guest_proof = 'last_bill'")
    expect(await asGuest('BAL-1', '17011', '10.00')).toBeNull()
    expect(await asGuest('BAL-1', '17011', '149.31')).toMatchObject({ owedCents: 14931 })
    await portal.owner.query("UPDATE payment_settings SET guest_proof = 'none'")
  })

  it('changes nothing if the same balance arrives again, and corrects another one', async () => {
    const same = await importBalances(['BAL-1,Ann Lee,12 Oak Street,149.31,'])
    expect(same.body).toMatchObject({ created: 0, changed: 0, unchanged: 1, adjustedCents: 0 })
    const other = await importBalances(['BAL-1,Ann Lee,12 Oak Street,100.00,'])
    expect(other.body).toMatchObject({ created: 0, changed: 1, adjustedCents: -4931 })
    expect(await asGuest('BAL-1', '17011')).toMatchObject({ owedCents: 10000 })
  })

  it('subtracts only the payments that the billing system has not posted', async () => {
    const { account, zip, id } = await one<{ account: string; zip: string; id: string }>(
      `SELECT a.account_number AS account, a.zipcode AS zip, a.id FROM remittance r JOIN utility_account a ON a.company_id = r.company_id AND a.id = r.account_id
       JOIN company c ON c.id = a.company_id JOIN remittance_filed f ON f.company_id = r.company_id AND f.remittance_id = r.id
       WHERE c.subdomain = 'maplegrove' AND r.kind = 'credit' ORDER BY f.number DESC LIMIT 1`,
    )
    const sums = await one<{ number: string; filed: string; all: string }>(
      `SELECT max(f.number) AS number, sum(CASE r.kind WHEN 'credit' THEN r.amount_cents ELSE -r.amount_cents END) FILTER (WHERE f.number IS NOT NULL) AS filed,
        sum(CASE r.kind WHEN 'credit' THEN r.amount_cents ELSE -r.amount_cents END) AS all
       FROM remittance r LEFT JOIN remittance_filed f ON f.company_id = r.company_id AND f.remittance_id = r.id WHERE r.account_id = $1`,
      [id],
    )
    const line = `${account},Name,1 Elm Street,5000.00,`
    // The billing system has posted the payments of all files.
    expect((await importBalances([line], { remittance: sums.number })).body).toMatchObject({
      imported: true,
      errorCount: 0,
    })
    expect(await asGuest(account, zip)).toMatchObject({ owedCents: 500_000 - (Number(sums.all) - Number(sums.filed)) })
    // It has posted none of them.
    expect((await importBalances([line])).body).toMatchObject({ changed: 1 })
    expect(await asGuest(account, zip)).toMatchObject({ owedCents: 500_000 - Number(sums.all) })
  })

  it('masks the given name for a guest if the last name comes first', async () => {
    const names = ['Miller, Roy', 'MILLER, ROY & ANN', 'Acme, Inc.', 'Miller & Sons, LLC']
    await importBalances(names.map((name, at) => `NAME-${at},"${name}",12 Oak Street,10.00,`))
    const bills = await Promise.all(names.map((_, at) => asGuest(`NAME-${at}`, '17011')))
    expect(bills.map(({ details }) => details.find((one: { name: string }) => one.name === 'customer').value)).toEqual([
      'R. Miller',
      'R. & A. MILLER',
      'Acme, Inc.',
      'Miller & Sons, LLC',
    ])
  })

  it('accepts only the last name as the proof of a guest if the last name comes first', async () => {
    await portal.owner.query("UPDATE payment_settings SET guest_proof = 'last_name'")
    const results = await Promise.all(['Roy', 'Miller'].map((name) => asGuest('NAME-0', '17011', name)))
    await portal.owner.query("UPDATE payment_settings SET guest_proof = 'none'")
    expect(results).toEqual([null, expect.objectContaining({ owedCents: 1000 })])
  })

  it('refuses an unknown remittance file, a future day and wrong rows', async () => {
    expect((await importBalances(['BAL-9,A,B,1'], { remittance: '99999' })).body.details.fields).toHaveProperty(
      'remittance',
    )
    expect((await importBalances(['BAL-9,A,B,1'], { day: '2026-12-24' })).body.details.fields).toHaveProperty('day')
    const { body } = await importBalances([
      'BAL-9,Ann,12 Oak,abc',
      'BAL-8,,12 Oak,1',
      'BAL-7,Ann,12 Oak Street,1.00',
      'BAL-7,Ann,12 Oak Street,2.00',
    ])
    expect(body).toMatchObject({ imported: false, errorCount: 3 })
  })
})
