import { Readable } from 'node:stream'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { testPortal } from '../../test/harness.ts'
import { importBills } from '../utility-accounts/server/import-bills.ts'
import { importReads } from '../utility-accounts/server/import-reads.ts'
import { ALREADY_LINKED, NO_ACCOUNT } from './contract.ts'
import { formatQuantity, monthName, sumOf } from './rules.ts'
import { figuresOf, type Year } from './web/year-figures.ts'

const MAPLE = 'maplegrove.localhost'
const TEN = Array.from({ length: 10 }, (_, n) => String(100_301 + n))

const portal = await testPortal({ demo: true })
const { owner } = portal
const tokens: Record<string, string> = {}
const ids: Record<string, number> = {}

const callAs = async (path: string, body: object = {}, role = 'resident') =>
  portal.post(MAPLE, path, body, { token: tokens[role] ?? '' })
const rows = async (query: string, values: unknown[] = []) => (await owner.query(query, values)).rows
const byCode = (accountNumber: string, role = 'newcomer') =>
  callAs('link/utility/account', { accountNumber, proof: 'code', code: `link ${accountNumber}` }, role)

beforeAll(async () => {
  for (const role of ['resident', 'newcomer', 'admin'])
    tokens[role] = await portal.signIn(MAPLE, `${role}@maplegrove.example`)
  for (const row of await rows(
    `SELECT a.account_number, a.id FROM utility_account a JOIN company c ON c.id = a.company_id WHERE c.subdomain = 'maplegrove'`,
  ))
    ids[row.account_number] = row.id
})
beforeEach(() => owner.query('DELETE FROM failed_guess'))

describe('linking an account', () => {
  test('accepts its number and the amount of a recent bill only', async () => {
    const bills = await rows('SELECT amount_cents FROM utility_bill WHERE account_id = $1 ORDER BY bill_date DESC', [
      ids['100002'],
    ])
    const dollars = (nth: number) => String(bills[nth].amount_cents / 100)
    const link = (amount: string, accountNumber = '100002') =>
      callAs('link/utility/account', { accountNumber, proof: 'amount', amount }, 'newcomer')
    const invalid = [
      await link('1.00'),
      await link(dollars(5)),
      await link(dollars(0), '199999'),
      await byCode('100003x'),
    ]
    for (const { status, body } of invalid) expect([status, body.message]).toEqual([404, NO_ACCOUNT])
    expect(await link(dollars(2), ' 10 0002 ')).toMatchObject({ status: 200, body: { accountId: ids['100002'] } })
    expect(await link(dollars(0))).toMatchObject({ status: 409, body: { message: ALREADY_LINKED } })
    const unlinked = await callAs('unlink/utility/account', { accountId: ids['100002'] }, 'newcomer')
    expect(unlinked.body.message).toBe('Account unlinked.')
    const { body } = await callAs('return/utility/accounts', {}, 'newcomer')
    expect(body.accounts).toEqual([])
  })

  test('limits guessing per person and per account', async () => {
    const guess = (n: number) =>
      callAs('link/utility/account', { accountNumber: '100004', proof: 'amount', amount: `${n}.17` })
    for (let n = 1; n <= 8; n += 1) expect((await guess(n)).status).toBe(404)
    expect((await guess(9)).status).toBe(429)
    expect((await byCode('100004')).status, 'somebody else, with the right code').toBe(429)
  })

  test('returns to paper bills after the last holder unlinks', async () => {
    await byCode('100005')
    const settings = { nickname: 'Shop', paperless: true, usageLimit: '', awayFrom: '', awayUntil: '', alsoTo: '' }
    const save = (changes: object) =>
      callAs('save/utility/account', { accountId: ids['100005'], settings: { ...settings, ...changes } }, 'newcomer')
    expect((await save({ usageLimit: 'lots' })).body.message).toMatch(/above zero/)
    expect((await save({ awayFrom: '2026-11-09', awayUntil: '2026-11-08' })).body.message).toMatch(/before the first/)
    expect((await save({})).status).toBe(200)
    const isPaperless = async () =>
      (await rows('SELECT paperless_since IS NOT NULL AS is FROM utility_account WHERE id = $1', [ids['100005']]))[0].is
    expect(await isPaperless()).toBe(true)
    await callAs('unlink/utility/account', { accountId: ids['100005'] }, 'newcomer')
    const others = await rows('SELECT FROM linked_account WHERE account_id = $1', [ids['100005']])
    expect(await isPaperless()).toBe(others.length > 0)
  })
})

describe('a link code from staff', () => {
  const printPdf = async (path: string, body: object, role = 'admin') => {
    const { body: ticket, status } = await callAs(path, body, role)
    return ticket.url
      ? portal.app.inject({ url: ticket.url, headers: { host: MAPLE } })
      : { statusCode: status, rawPayload: Buffer.alloc(0) }
  }
  /** Codes are random and stored only as hashes, so the test sets a known code. */
  const setCode = (account: string, code: string) =>
    owner.query(`UPDATE utility_link_code SET code_hash = sha256(convert_to($2, 'UTF8')) WHERE account_id = $1`, [
      ids[account],
      code,
    ])
  const linkBy = (code: string) =>
    callAs('link/utility/account', { accountNumber: '100410', proof: 'code', code }, 'newcomer')
  const unlink = () => callAs('unlink/utility/account', { accountId: ids['100410'] }, 'newcomer')

  test('is printed in tagged letters and works once until it expires', async () => {
    const accountIds = [ids['100410'], ids['100411'], ids['100412']]
    expect((await printPdf('muni/print/link/codes', { accountIds }, 'newcomer')).statusCode).toBe(403)
    const mailings = await printPdf('muni/print/link/codes', { accountIds })
    const text = mailings.rawPayload.toString('latin1')
    expect([
      text.match(/\/Type \/Page\b/g)?.length,
      text.includes('/StructTreeRoot'),
      text.match(/\/S \/Figure/g)?.length,
    ]).toEqual([3, true, 3])
    await setCode('100410', 'FIRSTCODE2')
    expect((await linkBy('firstcode2')).status).toBe(200)
    await unlink()
    expect((await linkBy('firstcode2')).body.message).toBe(NO_ACCOUNT)

    const bill = await printPdf('muni/print/utility/bill', { accountId: ids['100410'], withCode: true })
    expect(bill.rawPayload.toString('latin1').match(/\/S \/Figure/g)?.length).toBeGreaterThan(0)
    await setCode('100410', 'SECONDCODE')
    expect((await linkBy('firstcode2')).status).toBe(404)
    const customer = (await callAs('muni/return/utility/customer', { accountId: ids['100410'] }, 'admin')).body
    expect(customer.linkCode).toMatchObject({ usedAt: null })
    await owner.query(`UPDATE utility_link_code SET expires_at = $1::timestamptz - interval '1 minute'`, [
      portal.clock.now(),
    ])
    expect((await linkBy('SECONDCODE')).status).toBe(404)
    await owner.query(`UPDATE utility_link_code SET expires_at = $1::timestamptz + interval '1 minute'`, [
      portal.clock.now(),
    ])
    expect((await linkBy('second-code')).status).toBe(200)
    await unlink()
  })

  test('notifies open staff screens when it is created and used', async () => {
    const [{ company_id }] = await rows('SELECT company_id FROM utility_account WHERE id = $1', [ids['100410']])
    const heard: number[] = []
    const leave = portal.context.live.subscribe(company_id, ({ topic, id }) => topic === 'link-codes' && heard.push(id))
    await printPdf('muni/print/link/codes', { accountIds: [ids['100410'], ids['100411']] })
    await expect.poll(() => heard).toEqual([Number(ids['100410']), Number(ids['100411'])])
    await setCode('100410', 'THIRDCODE2')
    expect((await linkBy('WRONGCODE2')).status).toBe(404)
    expect((await linkBy('thirdcode2')).status).toBe(200)
    await expect.poll(() => heard.slice(2)).toEqual([Number(ids['100410'])])
    leave()
    await unlink()
  })
})

describe('sharing between two people', () => {
  const offer = async (body: object, role = 'resident') =>
    (
      await callAs(
        'offer/utility/share',
        { accountId: ids['100014'], kind: 'history', withAmounts: false, toEmail: '', ...body },
        role,
      )
    ).body
  const accept = (code: string, role = 'newcomer') => callAs('accept/utility/share', { code }, role)
  const seen = (shareId: number, role = 'newcomer') => callAs('return/utility/shared', { shareId }, role)
  const sharesOf = async (role: string) => (await callAs('return/utility/shares', {}, role)).body

  test('shows only the agreed data, from acceptance until either ends it', async () => {
    const { code } = await offer({})
    const [outgoing] = (await sharesOf('resident')).outgoing
    expect((await seen(outgoing.id)).status).toBe(404)
    expect((await seen(outgoing.id, 'resident')).status).toBe(404)
    expect((await accept(code, 'resident')).status).toBe(409)
    expect((await accept('WRONG-CODE-99')).status).toBe(404)
    const terms = (await callAs('return/utility/share/offer', { code }, 'newcomer')).body
    expect(terms).toMatchObject({ kind: 'history', withAmounts: false, until: outgoing.until })
    expect((await seen(outgoing.id)).status).toBe(404)
    expect((await accept(code)).body.shareId).toBe(outgoing.id)
    expect((await accept(code)).status).toBe(404)

    const ownYear = (await callAs('return/utility/year', { accountId: ids['100014'] })).body
    // Adds usage after the day of the offer. The share must not include this usage, because another occupant may have
    // caused it.
    await owner.query(
      `INSERT INTO meter_reading SELECT company_id, account_id, meter_number, $2::date + 20, service, unit, reading + 90, 90, 20, kind, imported_at
       FROM meter_reading WHERE account_id = $1 ORDER BY read_date DESC LIMIT 1`,
      [ids['100014'], outgoing.until],
    )
    const { body } = await seen(outgoing.id)
    await owner.query('DELETE FROM meter_reading WHERE account_id = $1 AND used = 90', [ids['100014']])
    expect(body).toEqual({
      ...terms,
      uses: ownYear.uses,
      billed: [],
      watched: null,
      ...(body.success !== undefined && { success: true }),
    })
    expect(JSON.stringify(body)).not.toMatch(/100014|Whitaker|resident@/)
    expect((await callAs('return/utility/account', { accountId: ids['100014'] }, 'newcomer')).status).toBe(404)

    expect((await callAs('end/utility/share', { shareId: outgoing.id }, 'newcomer')).body.message).toMatch(
      /is no longer shared/,
    )
    expect((await seen(outgoing.id)).status).toBe(404)
    const history = await rows(
      `SELECT event FROM status_history WHERE machine = 'account_share' AND subject_id = $1 ORDER BY seq`,
      [outgoing.id],
    )
    expect(history.map(({ event }) => event)).toEqual(['offer', 'accept', 'end'])
  })

  test('restricts an emailed offer to its recipient and ends with unlinking', async () => {
    await byCode('100413')
    const { code } = await offer(
      { accountId: ids['100413'], kind: 'watch', withAmounts: true, toEmail: 'Resident@maplegrove.example' },
      'newcomer',
    )
    const [email] = await rows(`SELECT to_address, text_body FROM email_outbox WHERE event = 'utility.share'`)
    expect([email.to_address.toLowerCase(), email.text_body.includes(code)]).toEqual([
      'resident@maplegrove.example',
      true,
    ])
    expect((await accept(code, 'admin')).status).toBe(403)
    const { shareId } = (await accept(code, 'resident')).body
    await owner.query(
      `INSERT INTO utility_adjustment SELECT company_id, 'OLD-' || id, id, '2025-01-02', 990000, 'Old balance', now()
       FROM utility_account WHERE id = $1`,
      [ids['100413']],
    )
    const ownAccount = (await callAs('return/utility/account', { accountId: ids['100413'] }, 'newcomer')).body.account
    expect(ownAccount.pastDueCents).toBeGreaterThan(0)
    expect((await seen(shareId, 'resident')).body).toMatchObject({
      withAmounts: false,
      uses: [],
      billed: [],
      watched: { pastDueCents: ownAccount.pastDueCents, shutoff: null },
    })
    // The portal also sends watchers one email for each unpaid bill, without the account's name or number.
    await owner.query(
      `UPDATE utility_bill SET due_date = '2026-11-10' WHERE account_id = $1 AND due_date =
         (SELECT max(due_date) FROM utility_bill WHERE account_id = $1)`,
      [ids['100413']],
    )
    for (const _ of [1, 2]) await portal.runJobs('utility.watch')
    await importBills(
      { db: portal.db, clock: portal.clock, log: { info: () => {} } },
      'maplegrove',
      Readable.from([
        Buffer.from(
          'account_number,record,record_number,date,amount,reason\n100413,shutoff_scheduled,W-1,2026-12-04,80,',
        ),
      ]),
    )
    await portal.runJobs('utility.notify')
    portal.clock.advance(3 * 60_000)
    await portal.runJobs()
    const watched = await rows(
      `SELECT event, text_body FROM email_outbox WHERE event LIKE 'utility.watch%' ORDER BY event`,
    )
    expect(watched.map(({ event }) => event)).toEqual(['utility.watch', 'utility.watch_shutoff'])
    expect(watched[0].text_body).toContain(`is past due`)
    expect(watched[1].text_body).toMatch(/will be shut off on December 4, 2026/)
    expect(JSON.stringify(watched)).not.toContain('100413')
    await callAs('unlink/utility/account', { accountId: ids['100413'] }, 'newcomer')
    expect((await seen(shareId, 'resident')).status).toBe(404)
    expect((await sharesOf('resident')).got.map(({ id }: { id: number }) => id)).not.toContain(shareId)

    const other = await offer({ toEmail: 'else@example.org' })
    expect((await accept(other.code)).status).toBe(404)
    const [{ id }] = (await sharesOf('resident')).outgoing
    await callAs('end/utility/share', { shareId: id })
  })
})

describe('the resident’s view', () => {
  test('shows only their own accounts with balance and due dates', async () => {
    const { accounts } = (await callAs('return/utility/accounts')).body
    expect(accounts.map(({ number, nickname }: { number: string; nickname: string }) => [number, nickname])).toEqual([
      ['100014', 'Home'],
      ['100237', 'Rental on Canal Street'],
    ])
    const [home] = accounts
    expect(home).toMatchObject({ can: { pay: true, unlink: true }, pastDueCents: 0, pendingCents: 0 })
    expect(home.owedCents).toBeGreaterThan(0)
    const shift = (days: number) =>
      owner.query('UPDATE utility_bill SET due_date = due_date + $2::int WHERE account_id = $1', [ids['100014'], days])
    await shift(-60)
    expect((await callAs('return/utility/accounts')).body.accounts[0].pastDueCents).toBe(home.owedCents)
    await shift(60)
    const numbers = await callAs('return/utility/account/numbers', { userId: null })
    expect(numbers.body).toEqual({ accountNumber: ['100014', '100237'] })
    expect((await callAs('return/utility/account/numbers', { userId: 1 })).status).toBe(404)
    for (const path of ['return/utility/account', 'return/utility/year', 'open/utility/payment', 'print/utility/bill'])
      for (const body of [{ accountId: ids['100001'], accountIds: [ids['100001']], billNumber: '202611-100001' }]) {
        const { status, body: response } = await callAs(path, body)
        // A download call returns a link, and the portal refuses access only when the test opens this link.
        expect(response.url ? (await portal.get(MAPLE, response.url)).status : status, path).toBe(404)
      }
  })

  test('pays several accounts with one checkout', async () => {
    await byCode('100001')
    const ownAccounts = (await callAs('return/utility/accounts', {}, 'newcomer')).body.accounts
    await byCode('100006')
    const { token } = (
      await callAs('open/utility/payment', { accountIds: [ids['100001'], ids['100006'], ids['100001']] }, 'newcomer')
    ).body
    const checkout = (await portal.post(MAPLE, 'return/guest/checkout', { token })).body
    expect(checkout.payables).toHaveLength(2)
    expect(checkout.payables[0].owedCents).toBe(ownAccounts[0].owedCents)
  })

  test('provides bills as tagged PDFs, and receipts for successful payments only', async () => {
    const { body: view } = await callAs('return/utility/account', { accountId: ids['100014'] })
    const [bill] = view.bills
    const file = async (path: string, body: object) => {
      const { body: ticket } = await callAs(path, { accountId: ids['100014'], ...body })
      return portal.app.inject({ url: ticket.url, headers: { host: MAPLE } })
    }
    const pdf = await file('print/utility/bill', { billNumber: bill.number })
    expect(pdf.headers['content-disposition']).toContain(`bill-${bill.number}.pdf`)
    const text = pdf.rawPayload.toString('latin1')
    expect([text.startsWith('%PDF-1.7'), text.includes('/MarkInfo'), text.includes('/StructTreeRoot')]).toEqual([
      true,
      true,
      true,
    ])
    const payments = [...view.payments]
    for (const year of view.years.slice(1))
      payments.push(...(await callAs('return/utility/account', { accountId: ids['100014'], year })).body.payments)
    expect(payments.length).toBeGreaterThan(5)
    for (const { status, can } of payments) expect(can.print).toBe(status === 1)
    const receipt = await file('print/utility/receipt', { paymentId: payments.find(({ can }) => can.print).id })
    expect(receipt.rawPayload.toString('latin1', 0, 5)).toBe('%PDF-')
    const [declined] = await rows(`UPDATE payment_order SET status = 2 WHERE id = $1 RETURNING id`, [
      payments.find(({ can }) => can.print).id,
    ])
    expect((await file('print/utility/receipt', { paymentId: declined.id })).statusCode).toBe(409)
    await owner.query('UPDATE payment_order SET status = 1 WHERE id = $1', [declined.id])
  })

  test('provides the billing system’s own PDF of a bill', async () => {
    const [own] = await rows(
      `SELECT d.bill_number AS "billNumber", f.path FROM utility_bill_document d
       JOIN attachment f ON f.company_id = d.company_id AND f.subject_id = d.id AND f.kind = 'bill-document'
       WHERE d.bill_number LIKE '%-100014'`,
    )
    // The copied test database refers to files of the demo, but the files are not copied.
    await portal.context.files.put(own.path, Buffer.from('%PDF- of the billing system'))
    const of = { accountId: ids['100014'], billNumber: own.billNumber }
    expect((await callAs('return/utility/bill', of)).body.isOfBillingSystem).toBe(true)
    const { body: ticket } = await callAs('print/utility/bill', of)
    const pdf = await portal.app.inject({ url: ticket.url, headers: { host: MAPLE } })
    expect(pdf.rawPayload.toString()).toBe('%PDF- of the billing system')
    expect(pdf.headers['content-disposition']).toContain(`bill-${own.billNumber}.pdf`)
  })

  test('shows the shared usage of an address up to its last day', async () => {
    const { got } = (await callAs('return/utility/shares')).body
    expect(got).toMatchObject([{ kind: 'history', state: 'accepted', withAmounts: true }])
    const { body } = await callAs('return/utility/shared', { shareId: got[0].id })
    expect(body.uses[0].months.some(({ value }: { value: number }) => value > 0)).toBe(true)
    expect(body.uses[0].periods.every(({ until }: { until: string }) => until <= got[0].until)).toBe(true)
  })

  test('explains the newest bill next to advice', async () => {
    const { body } = await callAs('return/utility/year', { accountId: ids['100237'] })
    const { comparison, number } = body.newest
    expect(comparison.reasons[0].kind).toBe('leak')
    expect(body.hint.title).toMatch(/^Water: (?:Twice|[\d.]+ times) your November 2025 usage$/)
    expect(sumOf(comparison.reasons.map(({ cents }: { cents: number }) => cents))).toBe(comparison.differenceCents)
    const response = await callAs('return/utility/bill', { accountId: ids['100237'], billNumber: number })
    expect(response.body.comparison).toEqual(comparison)
  })
})

describe('a year of ten accounts', () => {
  const years = new Map<string, Year>()
  beforeAll(async () => {
    for (const number of TEN) {
      await byCode(number)
      years.set(number, (await callAs('return/utility/year', { accountId: ids[number] }, 'newcomer')).body)
    }
  })

  test('shows equal figures in graph, table and imported readings', async () => {
    for (const number of TEN) {
      const reads = await rows(
        `SELECT to_char(read_date, 'YYYY-MM') AS month, used, days FROM meter_reading WHERE account_id = $1`,
        [ids[number]],
      )
      expect(reads.length).toBeGreaterThanOrEqual(25)
      const [uses] = years.get(number)?.uses ?? []
      const { points, now, before, rows: table } = figuresOf(uses?.months ?? [], formatQuantity, String)
      expect(points).toHaveLength(12)
      for (const [nth, { month }] of (uses?.months ?? []).entries()) {
        const usedIn = (wanted: string) => sumOf(reads.filter((read) => read.month === wanted).map(({ used }) => used))
        const yearAgo = `${Number(month.slice(0, 4)) - 1}${month.slice(4)}`
        expect([now[nth], before[nth]], `${number} ${month}`).toEqual([usedIn(month), usedIn(yearAgo)])
        const [thisYear, , lastYear] = table[nth]?.cells ?? []
        expect([table[nth]?.name, thisYear, lastYear]).toEqual([
          monthName(month),
          ...[usedIn(month), usedIn(yearAgo)].map(formatQuantity),
        ])
      }
      expect(uses?.periods.length).toBe(reads.filter(({ month }) => month >= '2024-12').length)
    }
  })

  test('shows billed and paid totals that match to the cent', async () => {
    for (const number of TEN) {
      const [sums] = await rows(
        `SELECT (SELECT sum(amount_cents)::int FROM utility_bill WHERE account_id = $1 AND bill_date >= '2025-12-01') AS billed,
          (SELECT coalesce(sum(CASE kind WHEN 'credit' THEN amount_cents ELSE -amount_cents END), 0)::int FROM remittance
           WHERE account_id = $1 AND at >= '2025-12-01T05:00Z') AS received,
          (SELECT sum(paid_elsewhere_cents)::int FROM utility_bill WHERE account_id = $1 AND bill_date >= '2025-12-01') AS elsewhere`,
        [ids[number]],
      )
      const { billed = [], paid = [] } = years.get(number) ?? {}
      expect([sumOf(billed.map(({ value }) => value)), sumOf(paid.map(({ value }) => value))], number).toEqual([
        sums.billed,
        sums.received + sums.elsewhere,
      ])
    }
  })
})

describe('an import', () => {
  const deps = { db: portal.db, clock: portal.clock, log: { info: () => {} } }
  const HEAD = 'account_number,meter_number,read_date,service,unit,reading,used,days,kind'
  const load = (...lines: string[]) =>
    importReads(deps, 'maplegrove', Readable.from([Buffer.from([HEAD, ...lines].join('\n'))]))
  const emailsOf = async (event: string) =>
    rows('SELECT to_address, subject, text_body FROM email_outbox WHERE event = $1 ORDER BY id', [event])

  test('reports wrong readings, ignores repetitions and accepts corrections', async () => {
    const good = '100401,X1,11/18/2026,Water,thousand gallons,"1,204.5",4.2,30,estimated'
    const invalid = [
      ['199999,X1,2026-11-18,Water,gallons,1,1,30,', 'No account has the number 199999. Import its bills first.'],
      ['100401,X2,2099-01-31,Water,gallons,1,1,30,', 'read_date 2099-01-31 is in the future.'],
      ['100401,X2,2026-11-31,Water,gallons,1,1,30,', /read_date "2026-11-31" is not a date/],
      ['100401,X2,2026-11-18,Water,gallons,1,-1,30,', /used "-1" is not a number/],
      ['100401,X2,2026-11-18,Water,gallons,1,1,0,', /days "0" is not a whole number from 1 to 400/],
      ['100401,X2,2026-11-18,Water,gallons,1,1,30,guessed', /kind "guessed" must be actual, estimated or corrected/],
      [
        '100401,X1,2026-11-18,Water,thousand gallons,1204.5,9,30,',
        /Line 2 already has a different reading of meter X1/,
      ],
    ] as const
    const first = await load(good, ...invalid.map(([line]) => line), good)
    expect(first).toMatchObject({ read: 9, readsCreated: 1, readsUnchanged: 1, errorCount: invalid.length })
    for (const [nth, [, reason]] of invalid.entries())
      expect(first.invalidRows.find(({ line }) => line === nth + 3)?.reason).toMatch(reason)
    expect(await load(good)).toMatchObject({ readsCreated: 0, readsCorrected: 0, readsUnchanged: 1 })
    expect(await load(good.replace('4.2,30,estimated', '3.9,30,corrected'))).toMatchObject({ readsCorrected: 1 })
    expect(await rows(`SELECT used, kind FROM meter_reading WHERE meter_number = 'X1'`)).toEqual([
      { used: 3.9, kind: 'corrected' },
    ])
  })

  test('sends usage alerts once to the holder and the second recipient', async () => {
    await byCode('100402')
    const watch = { usageLimit: '8', awayFrom: '2026-11-15', awayUntil: '2026-11-30', alsoTo: 'sister@example.org' }
    const settings = { nickname: 'Mill', paperless: false, ...watch }
    await callAs('save/utility/account', { accountId: ids['100402'], settings }, 'newcomer')
    await load(
      '100402,W9,2026-11-10,Water,thousand gallons,20,7.9,30,',
      '100402,W9,2026-11-14,Water,thousand gallons,29,9.1,4,',
      '100402,W9,2026-11-17,Water,thousand gallons,29.2,0.2,2,',
      '100402,W9,2026-11-18,Water,thousand gallons,29.2,0,1,',
    )
    await portal.runJobs('utility.notify', 'utility.notify')
    portal.clock.advance(150_000)
    await portal.runJobs()
    const emails = await emailsOf('utility.use')
    expect(emails.map(({ to_address }) => to_address)).toEqual(['newcomer@maplegrove.example', 'sister@example.org'])
    for (const { subject, text_body } of emails) {
      expect(subject).toBe('2 usage alerts for your utility accounts')
      expect(text_body).toContain(
        'On November 14, 2026, the meter for Mill showed 9.1 thousand gallons of usage over 4 days.',
      )
      expect(text_body).toContain(
        '0.2 thousand gallons of usage over 2 days. No one was expected to be at this address on those days.',
      )
    }
    expect(emails[0].text_body).toContain(`/utility-portal/accounts/${ids['100402']}`)
    expect(emails[1].text_body).toContain('Theodore Lim asked us to notify you too.')
    expect(emails[1].text_body).not.toContain('/utility-portal/')
  })

  test('sends one email to a person with several roles on an account', async () => {
    const accountId = ids['100405']
    for (const role of ['newcomer', 'resident']) {
      await byCode('100405', role)
      const watch = { usageLimit: '8', awayFrom: '', awayUntil: '', alsoTo: 'Newcomer@maplegrove.example' }
      await callAs('save/utility/account', { accountId, settings: { nickname: '', paperless: false, ...watch } }, role)
    }
    const shares: number[] = []
    for (const _ of [1, 2]) {
      const offered = { accountId, kind: 'watch', withAmounts: false, toEmail: '' }
      const { code } = (await callAs('offer/utility/share', offered, 'resident')).body
      shares.push((await callAs('accept/utility/share', { code }, 'newcomer')).body.shareId)
    }
    await owner.query(
      `INSERT INTO utility_adjustment SELECT company_id, 'OLDER-' || id, id, '2025-01-02', 990000, 'Old balance', now()
       FROM utility_account WHERE id = $1`,
      [accountId],
    )
    await owner.query(
      `UPDATE utility_bill SET due_date = '2026-11-10' WHERE account_id = $1 AND due_date =
         (SELECT max(due_date) FROM utility_bill WHERE account_id = $1)`,
      [accountId],
    )
    const [{ id: last }] = await rows('SELECT coalesce(max(id), 0)::int AS id FROM email_outbox')
    await portal.runJobs('utility.watch')
    portal.clock.advance(150_000)
    await portal.runJobs()
    // After one share ends, the other share does not repeat a notice that was already sent.
    expect((await callAs('end/utility/share', { shareId: shares[0] }, 'resident')).status).toBe(200)
    await portal.runJobs('utility.watch')
    await load('100405,W7,2026-11-14,Water,thousand gallons,29,9.1,4,')
    await importBills(
      deps,
      'maplegrove',
      Readable.from([
        Buffer.from(
          'account_number,record,record_number,date,amount,reason\n100405,shutoff_scheduled,W-5,2026-12-04,80,',
        ),
      ]),
    )
    await portal.runJobs('utility.notify', 'utility.notify')
    portal.clock.advance(150_000)
    await portal.runJobs()
    const emails = await rows(
      'SELECT event, subject FROM email_outbox WHERE id > $1 AND to_address ILIKE $2 ORDER BY event',
      [last, 'newcomer@maplegrove.example'],
    )
    expect(emails).toEqual([
      { event: 'utility.shutoff', subject: 'Service will be shut off on December 4, 2026: 100405' },
      { event: 'utility.use', subject: 'Usage above your limit: 100405' },
      { event: 'utility.watch', subject: expect.stringMatching(/^The utility account at .* is past due$/) },
    ])
  })

  test('emails a new bill of a paperless account and stores its link code', async () => {
    await byCode('100403')
    const settings = { nickname: '', paperless: true, usageLimit: '', awayFrom: '', awayUntil: '', alsoTo: '' }
    await callAs('save/utility/account', { accountId: ids['100403'], settings }, 'newcomer')
    const head =
      'account_number,customer_name,service_address,city,state,zip,bill_number,bill_date,due_date,period_start,period_end,service_1,amount_1,link_code'
    const line = (number: string, date: string) =>
      `100403,Ann Lee,1 Oak Street,Maple Grove,PA,17011,${number},${date},2026-12-20,2026-10-01,2026-10-31,Water,41.20,fresh-code1`
    const file = [head, line('N-2', '2026-11-19'), line('N-1', '2025-11-19')].join('\n')
    const loadBills = () => importBills(deps, 'maplegrove', Readable.from([Buffer.from(file)]))
    expect(await loadBills()).toMatchObject({ billsCreated: 2 })
    expect(await loadBills()).toMatchObject({ billsCreated: 0 })
    await portal.runJobs('utility.notify')
    const emails = await emailsOf('utility.bill')
    expect(emails.map(({ subject }) => subject)).toEqual(['Your $41.20 utility bill from Maple Grove'])
    expect(emails[0].text_body).toContain(`/utility-portal/accounts/${ids['100403']}/bills/N-2`)
    const linked = await callAs('link/utility/account', { accountNumber: '100403', proof: 'code', code: 'FRESH CODE1' })
    expect(linked.status).toBe(200)
    await callAs('unlink/utility/account', { accountId: ids['100403'] })
  })

  test('changes balances but no remittances, and emails each shutoff step once', async () => {
    await byCode('100404')
    const accountId = ids['100404']
    const loadOwn = async () =>
      (await callAs('return/utility/accounts', {}, 'newcomer')).body.accounts.find(
        ({ id }: { id: number }) => id === accountId,
      )
    const remitted = () => rows('SELECT count(*)::int AS n, sum(amount_cents)::bigint AS cents FROM remittance')
    const [before, was] = [await loadOwn(), await remitted()]
    const loadRecords = (...lines: string[]) =>
      importBills(
        deps,
        'maplegrove',
        Readable.from([Buffer.from(['account_number,record,record_number,date,amount,reason', ...lines].join('\n'))]),
      )
    const file = [
      '100404,adjustment,T-1,2026-11-19,12.50,Returned check',
      '100404,shutoff_scheduled,T-2,2026-12-04,80,',
    ]
    for (const _ of [1, 2]) {
      await loadRecords(...file)
      await portal.runJobs('utility.notify')
    }
    expect(await loadOwn()).toMatchObject({
      owedCents: before.owedCents + 1250,
      pastDueCents: before.pastDueCents,
      shutoff: { state: 'scheduled', on: '2026-12-04', amountCents: 8000 },
    })
    const year = (await callAs('return/utility/year', { accountId }, 'newcomer')).body
    expect(year.newest.comparison.adjustments).toMatchObject([{ amountCents: 1250, reason: 'Returned check' }])
    const view = (await callAs('return/utility/account', { accountId }, 'newcomer')).body
    expect(view.adjustments).toEqual(year.newest.comparison.adjustments)
    const withState = async (shutoff: string) =>
      (await callAs('muni/return/utility/customers', { filters: { shutoff } }, 'admin')).body.rows.map(
        ({ accountNumber }: { accountNumber: string }) => accountNumber,
      )
    expect([(await withState('scheduled')).includes('100404'), (await withState('off')).includes('100404')]).toEqual([
      true,
      false,
    ])
    const staffSees = (await callAs('muni/return/utility/customer', { accountId }, 'admin')).body
    expect(staffSees).toMatchObject({ shutoff: { state: 'scheduled' }, adjustments: [{ number: 'T-1' }] })

    await loadRecords('100404,shutoff_restored,T-2,2026-11-20,,')
    await portal.runJobs('utility.notify')
    expect((await loadOwn()).shutoff).toBeNull()
    expect(await remitted()).toEqual(was)
    const emails = (await emailsOf('utility.shutoff')).filter(
      ({ to_address, subject }) => to_address === 'newcomer@maplegrove.example' && subject.endsWith('100404'),
    )
    expect(emails.map(({ subject }) => subject)).toEqual([
      'Service will be shut off on December 4, 2026: 100404',
      'Shutoff resolved: 100404',
    ])
    expect(emails[0].text_body).toMatch(/Pay \$80\.00 before that day to keep the service on\.[^]*call us: \(/)
    await callAs('unlink/utility/account', { accountId }, 'newcomer')
  })
})
