import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Bankfile, bankFile, entriesOf, openBankfile } from '../test/bank.ts'
import type { TestDatabase } from '../test/databases.ts'
import { testDatabase, testFolder } from '../test/harness.ts'
import { sampleOf } from '../test/layers.ts'
import { bankingDayAfter } from './banking-days.ts'
import { isAboutReturn, returnCodes } from './nacha/return-codes.ts'

type Json = Record<string, unknown>

let database: TestDatabase
let bank: Bankfile
let folder: string
let company: string
const sentEvents: { type: string; data: Json }[] = []
const listener = createServer((request, response) => {
  let raw = ''
  request.on('data', (chunk: Buffer) => (raw += chunk.toString()))
  request.on('end', () => {
    sentEvents.push(JSON.parse(raw) as (typeof sentEvents)[number])
    response.writeHead(200).end()
  })
})

beforeAll(async () => {
  database = await testDatabase()
  folder = testFolder()
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  bank = await openBankfile(database, `http://127.0.0.1:${(listener.address() as AddressInfo).port}/`, {
    BANKFILE_FOLDER: folder,
  })
  // Starts on a Monday at 10:00 in New York, with no holidays near it.
  await bank.moveTo('2027-03-01T15:00:00Z')
  company = await account()
})
afterAll(async () => {
  await bank.close()
  listener.close()
})

const account = async () =>
  String(
    (
      await bank.send(
        'POST',
        '/v1/accounts',
        { reference: randomUUID(), name: 'Maple Grove' },
        { 'idempotency-key': randomUUID() },
      )
    ).body['id'],
  )
const change = (path: string, body: unknown, { of = company, key = randomUUID() as string } = {}) =>
  bank.send('POST', path, body, { 'idempotency-key': key, 'gateway-account': of })
const load = async (path: string, of = company) =>
  (await bank.send('GET', path, undefined, { 'gateway-account': of })).body
const now = async () => new Date(String((await bank.send('GET', '/v1/test/clock')).body['now']))
/** Moves the clock by a number of days, and then to just after the next banking day's cutoff. */
const passDays = async (days: number) => {
  const day = new Date((await now()).getTime() + days * 86_400_000).toISOString().slice(0, 10)
  await bank.moveTo(`${bankingDayAfter(day, 0)}T21:30:00Z`)
}
const morning = async () => {
  const day = new Date((await now()).getTime() + 86_400_000).toISOString().slice(0, 10)
  await bank.moveTo(`${day}T14:00:00Z`)
}

const pay = async (cents = 10_195, { of = company, method: source = {} as Json } = {}) => {
  const { body: made } = await change(
    '/v1/intents',
    { amount_cents: cents, method: 'echeck', metadata: { company_id: '1' } },
    { of },
  )
  const token = 'payment_method' in source ? {} : { token: (await bank.token(of))['token'] }
  const { body } = await change(`/v1/intents/${String(made['id'])}/confirm`, { ...token, ...source }, { of })
  return body
}
const store = async (of = company) => {
  const { body: customer } = await change('/v1/customers', { reference: randomUUID(), name: 'Edna' }, { of })
  const { body: setup } = await change('/v1/setup_intents', { customer: customer['id'], method: 'echeck' }, { of })
  const mandate = { accepted_at: '2027-02-01T10:00:00Z', ip_address: '192.0.2.1', text: 'I authorize' }
  const { body } = await change(
    `/v1/setup_intents/${String(setup['id'])}/confirm`,
    { token: (await bank.token(of))['token'], mandate },
    { of },
  )
  return String((body['payment_method'] as Json)['id'])
}
const lastFile = async (of = company) => {
  const [file] = await bank.files(of)
  return { file, entries: file ? entriesOf(await bank.content(of, file['id'])) : [] }
}
const exceptionsOf = async (of: string) => (await bank.exceptions(of)).filter((one) => one['account'] === of)
/** Creates a debit and sends it in a file. Uses the account `of`, or a new account if absent. */
const sent = async (source: Json = {}, of?: string) => {
  const accountId = of ?? (await account())
  const method = source['stored'] ? await store(accountId) : null
  const intent = await pay(10_195, {
    of: accountId,
    method: method ? { payment_method: method, off_session: true } : {},
  })
  await passDays(1)
  const { entries } = await lastFile(accountId)
  return { of: accountId, method, id: String(intent['id']), entry: entries.at(-1) as (typeof entries)[number] }
}

test('seals the entered account number and shows only its last digits', async () => {
  const { token, method } = await bank.token(company, '98765432101234')
  expect(method).toMatchObject({ last4: '1234', account_type: 2 })
  const { rows } = await database.owner.query<{ row: string }>('SELECT d::text AS row FROM bankfile.detail d')
  expect(rows.some(({ row }) => row.includes('1234'))).toBe(true)
  expect(
    rows.filter(
      ({ row }) => row.includes('98765432101234') || row.includes(Buffer.from('98765432101234').toString('hex')),
    ),
  ).toEqual([])
  expect(JSON.stringify(token)).not.toContain('1234')
  expect((await bank.token(company, '12', { routing: '110000001' }))['errors']).toEqual({
    routing: expect.any(String) as string,
    number: expect.any(String) as string,
  })
})

test('lets only our sites frame its fields and marks them as test', async () => {
  const page = await fetch(`${bank.url}/fields/bank?parent=http://maplegrove.localhost:3000`)
  expect(page.headers.get('content-security-policy')).toContain('frame-ancestors http://*.localhost:3000')
  expect(await page.text()).toContain('TEST: no money moves.')
  expect((await fetch(`${bank.url}/fields/bank?parent=http://elsewhere.example`)).status).toBe(400)
  expect((await fetch(`${bank.url}/fields/card?parent=http://maplegrove.localhost:3000`)).status).toBe(404)
})

test('files a debit at cutoff and pays it after the return period', async () => {
  const of = await account()
  const intent = await pay(10_195, { of })
  expect(intent).toMatchObject({ status: 'processing', payment_method: { last4: '6789' } })
  expect(await bank.files(of)).toEqual([])
  await passDays(0)
  const { file, entries } = await lastFile(of)
  expect(file).toMatchObject({ entries: 1, debit_cents: 10_195, credit_cents: 0 })
  expect(entries).toMatchObject([
    {
      transactionCode: '27',
      routing: '110000000',
      account: '000123456789',
      cents: 10_195,
      secCode: 'WEB',
      discretionaryData: 'S',
    },
  ])
  await passDays(2)
  expect(await load(`/v1/intents/${String(intent['id'])}`, of)).toMatchObject({ status: 'processing' })
  await passDays(1)
  expect(await load(`/v1/intents/${String(intent['id'])}`, of)).toMatchObject({ status: 'succeeded' })
  expect(await bank.files(of)).toHaveLength(1)
  expect(await load('/v1/balance', of)).toMatchObject({ balance_cents: 10_195 })
})

test('puts a debit confirmed after cutoff into the next banking day’s file', async () => {
  await bank.moveTo('2027-03-12T22:00:00Z')
  const of = await account()
  await pay(500, { of })
  await bank.moveTo('2027-03-14T22:00:00Z')
  expect(await bank.files(of)).toEqual([])
  await bank.moveTo('2027-03-15T19:30:00Z')
  expect(await bank.files(of)).toEqual([])
  await bank.moveTo('2027-03-15T20:30:00Z')
  expect(await lastFile(of)).toMatchObject({
    file: { day: '2027-03-15', effective_on: '2027-03-16' },
    entries: [{ effectiveDate: '270316' }],
  })
})

test('cancels a debit only until its file is cut', async () => {
  const of = await account()
  const early = await pay(100, { of })
  expect((await change(`/v1/intents/${String(early['id'])}/void`, {}, { of })).body).toMatchObject({
    status: 'canceled',
  })
  const late = await pay(200, { of })
  await passDays(1)
  expect((await lastFile(of)).entries).toMatchObject([{ cents: 200 }])
  expect((await change(`/v1/intents/${String(late['id'])}/cancel`, {}, { of })).body.error).toMatchObject({
    code: 'in_file',
  })
})

test('repeats the outcome of a key and rejects it with another body', async () => {
  const key = randomUUID()
  const body = { amount_cents: 900, method: 'echeck' }
  const first = await change('/v1/intents', body, { key })
  expect((await change('/v1/intents', body, { key })).body).toEqual(first.body)
  expect((await change('/v1/intents', { ...body, amount_cents: 901 }, { key })).status).toBe(422)
  await bank.control('faults', { fault: 'timeout-after', path: '/confirm', count: 1 })
  const { token } = await bank.token(company)
  const confirm = () => change(`/v1/intents/${String(first.body['id'])}/confirm`, { token }, { key })
  await expect(confirm()).rejects.toThrow()
  expect((await confirm()).body).toMatchObject({ status: 'processing' })
})

test('cuts one file if two processes close the same day', async () => {
  const second = await openBankfile(database, bank.settings.webhookUrl)
  const of = await account()
  await Promise.all(Array.from({ length: 6 }, () => pay(700, { of })))
  const day = new Date((await now()).getTime() + 3 * 86_400_000).toISOString()
  await Promise.all([bank.moveTo(day), second.moveTo(day), bank.control('flush', {}), second.control('flush', {})])
  await second.close()
  const files = await bank.files(of)
  expect(files.map(({ entries }) => entries)).toEqual([6])
})

describe('return', () => {
  test.each(['R01', 'R10'])('fails a debit returned with %s before settlement', async (code) => {
    const { of, id, entry } = await sent()
    expect((await bank.give(bankFile([{ entry, code }]))).body).toMatchObject({ returns: 1, exceptions: 0 })
    expect(await load(`/v1/intents/${id}`, of)).toMatchObject({
      status: 'failed',
      return_code: code,
      error: { retryable: code === 'R01' },
    })
    await passDays(5)
    expect(await load('/v1/balance', of)).toMatchObject({ balance_cents: 0, captured_cents: 0 })
  })

  test('is accepted from a file that breaks originator rules', async () => {
    const { of, id, entry } = await sent()
    const file = bankFile([{ entry, code: 'R01' }])
      .replace(/^101.{10}(.{10})(.{10})./, '1019876543210$1$2 ')
      .replaceAll(/^(6.{75})S ?/gm, '$1  ')
    expect((await bank.give(file)).body).toMatchObject({ returns: 1, exceptions: 0 })
    expect(await load(`/v1/intents/${id}`, of)).toMatchObject({ status: 'failed', return_code: 'R01' })
  })

  test('reverses a settled debit and reduces a later payout', async () => {
    const { of, id, entry } = await sent()
    await passDays(6)
    expect(await load(`/v1/intents/${id}`, of)).toMatchObject({ status: 'succeeded' })
    await morning()
    await bank.give(bankFile([{ entry, code: 'R10' }]))
    expect(await load(`/v1/intents/${id}`, of)).toMatchObject({ status: 'returned', return_code: 'R10' })
    await passDays(5)
    const payouts = ((await load('/v1/payouts?limit=500'))['data'] as Json[]).filter(
      (payout) => payout['account'] === of,
    )
    expect(payouts.map((payout) => payout['amount_cents'])).toEqual([10_195, -10_195])
    const lines = (await load(`/v1/payouts/${String(payouts[1]?.['id'])}/balance_transactions`, of))['data'] as Json[]
    expect(lines).toMatchObject([{ type: 'return', object_id: id, amount_cents: -10_195 }])
  })

  test('ignores a repeated file and leaves a repeated entry to staff', async () => {
    const { of, entry } = await sent()
    const file = bankFile([{ entry, code: 'R01' }])
    expect((await bank.give(file)).body).toMatchObject({ returns: 1, again: false })
    expect((await bank.give(file)).body).toMatchObject({ returns: 1, again: true })
    expect((await bank.give(bankFile([{ entry, code: 'R01' }]))).body).toMatchObject({ returns: 0, exceptions: 1 })
    expect(await exceptionsOf(of)).toMatchObject([{ reason: 'twice', code: 'R01' }])
  })

  test('leaves an unknown, mismatched or interbank item to staff', async () => {
    const { of, id, entry } = await sent()
    const returnBatches = [
      { entry: { ...entry, trace: '123456789999999' }, code: 'R01' },
      { entry: { ...entry, cents: 1 }, code: 'R01' },
    ]
    expect((await bank.give(bankFile(returnBatches))).body).toMatchObject({ returns: 0, exceptions: 2 })
    expect((await bank.exceptions(of)).slice(0, 2).map(({ reason }) => reason)).toEqual(['amount', 'unknown'])
    expect(await load(`/v1/intents/${id}`, of)).toMatchObject({ status: 'processing' })
  })

  test('books a late return and reports it to staff', async () => {
    const { of, id, entry } = await sent()
    await passDays(14)
    await morning()
    await bank.give(bankFile([{ entry, code: 'R01' }]))
    expect(await load(`/v1/intents/${id}`, of)).toMatchObject({ status: 'returned' })
    expect(await exceptionsOf(of)).toMatchObject([{ reason: 'untimely' }])
  })

  test('rejects an incorrect file entirely, with its reasons', async () => {
    const { of, id, entry } = await sent()
    const { status, body } = await bank.give(bankFile([{ entry, code: 'R01' }]).replace('9000001', '9000002'))
    expect(status).toBe(422)
    expect(body.error?.message).toBe('Line 6, batch count: it says 2, and the file has 1 batches.')
    expect(await load(`/v1/intents/${id}`, of)).toMatchObject({ status: 'processing' })
  })

  // Uses one company and one file with a debit for each return code.
  test('handles the saved account as the rules of its code require', async () => {
    const of = await account()
    const all = Object.keys(returnCodes).filter((code) => !isAboutReturn(code))
    const codes = [...new Set(['R01', 'R02', 'R05', 'R08', 'R10', 'R29', ...sampleOf(all)])].toSorted()
    const counted = (kind: string) => codes.filter((code) => returnCodes[code]?.counts === kind).length
    const methods = new Map<string, { method: string; id: string }>()
    await Promise.all(
      codes.map(async (code, index) => {
        const method = await store(of)
        const intent = await pay(1000 + index, { of, method: { payment_method: method, off_session: true } })
        methods.set(code, { method, id: String(intent['id']) })
      }),
    )
    await passDays(1)
    const { entries } = await lastFile(of)
    const returnBatches = codes.map((code, index) => {
      const entry = entries.find(({ cents }) => cents === 1000 + index)
      if (!entry) throw new Error('an entry is missing')
      return { entry, code }
    })
    expect((await bank.give(bankFile(returnBatches))).body).toMatchObject({ returns: codes.length })
    const checked = codes.map(async (code) => {
      const { method = '', id = '' } = methods.get(code) ?? {}
      expect(await load(`/v1/intents/${id}`, of)).toMatchObject({ status: 'failed', return_code: code })
      const again = await pay(50, { of, method: { payment_method: method, off_session: true } })
      const action = returnCodes[code]?.action
      const goesOn = action === 'present-again' || action === 'staff'
      expect([code, again['status']]).toEqual([code, goesOn ? 'processing' : 'failed'])
      if (!goesOn) expect(again['return_code']).toBe(code)
    })
    await Promise.all(checked)
    const { rows } = await database.owner.query<{ blocked_by: string }>(
      'SELECT blocked_by FROM bankfile.stored_method WHERE account = $1 AND mandate_ended_at IS NOT NULL ORDER BY 1',
      [of],
    )
    expect(rows.map((row) => row.blocked_by)).toEqual(
      ['R05', 'R07', 'R10', 'R11', 'R14', 'R15', 'R29', 'R51'].filter((code) => codes.includes(code)),
    )
    expect(await load('/v1/return_rates', of)).toMatchObject({
      sent: codes.length,
      unauthorized: { returned: counted('unauthorized'), limit: 0.005, over: true },
      administrative: { returned: counted('administrative'), limit: 0.03, over: true },
      all: { returned: codes.length, over: true },
    })
  })
})

describe('notification of change', () => {
  test.each([
    ['C01', '000123456788', { account: '000123456788' }],
    ['C02', '021000021', { routing: '021000021' }],
    ['C03', '021000021   5550001', { routing: '021000021', account: '5550001' }],
    ['C05', '37', { transactionCode: '37' }],
    ['C06', `${'5550002'.padEnd(20)}37`, { account: '5550002', transactionCode: '37' }],
    ['C07', `021000021${'5550003'.padEnd(17)}37`, { routing: '021000021', account: '5550003', transactionCode: '37' }],
  ])('applies %s to the next debit', async (code, data, corrected) => {
    const { of, method, entry } = await sent({ stored: true })
    expect((await bank.give(bankFile([{ entry, code, data }]))).body).toMatchObject({ changes: 1, exceptions: 0 })
    await pay(333, { of, method: { payment_method: method, off_session: true } })
    await passDays(3)
    const before = { account: '000123456789', routing: '110000000', transactionCode: '27' }
    expect((await lastFile(of)).entries).toMatchObject([{ cents: 333, ...before, ...corrected }])
  })

  test('leaves a change that is incomplete or off the account to staff', async () => {
    const { of, entry } = await sent()
    await bank.give(
      bankFile([
        { entry, code: 'C10', data: 'MAPLE GROVE BOROUGH' },
        { entry, code: 'C02', data: '021000022' },
      ]),
    )
    expect((await exceptionsOf(of)).map(({ reason }) => reason)).toEqual(['change', 'change'])
  })
})

describe('refund', () => {
  test('adds a credit to the next file and succeeds with it', async () => {
    const { of, id } = await sent()
    await passDays(6)
    const { body: refund } = await change('/v1/refunds', { intent: id, amount_cents: 195 }, { of })
    expect(refund).toMatchObject({ status: 'pending' })
    await passDays(3)
    const { entries } = await lastFile(of)
    expect(entries).toMatchObject([{ transactionCode: '22', cents: 195, secCode: 'PPD' }])
    expect(await load(`/v1/refunds/${String(refund['id'])}`, of)).toMatchObject({ status: 'succeeded' })
    expect(await load('/v1/balance', of)).toMatchObject({ balance_cents: 10_000 })
    await bank.give(bankFile([{ entry: entries[0] as (typeof entries)[number], code: 'R02' }]))
    expect(await load(`/v1/refunds/${String(refund['id'])}`, of)).toMatchObject({ status: 'failed' })
    expect(await load(`/v1/intents/${id}`, of)).toMatchObject({ refunded_cents: 0, status: 'succeeded' })
    expect(await load('/v1/balance', of)).toMatchObject({ balance_cents: 10_195 })
  })

  test('rejects a refund above the remaining amount', async () => {
    const { of, id } = await sent()
    await passDays(6)
    expect((await change('/v1/refunds', { intent: id, amount_cents: 10_196 }, { of })).body.error).toMatchObject({
      code: 'too_much',
    })
  })
})

describe('company that tests accounts with prenotes', () => {
  const withPrenotes = async () => {
    const of = await account()
    const originator = {
      company_name: 'MAPLE GROVE',
      company_id: '1987654321',
      odfi_routing: '123456780',
      odfi_name: 'FIRST BANK',
      immediate_origin: '1987654321',
      sec_codes: ['PPD'],
      prenotes: true,
    }
    await change(`/v1/accounts/${of}/originator`, originator, { of })
    const method = await store(of)
    const intent = await pay(4200, { of, method: { payment_method: method, off_session: true } })
    await passDays(1)
    return {
      of,
      method,
      id: String(intent['id']),
      prenote: (await lastFile(of)).entries[0] as ReturnType<typeof entriesOf>[number],
    }
  }

  test('debits an account three banking days after an accepted prenote', async () => {
    const { of, prenote } = await withPrenotes()
    expect(prenote).toMatchObject({ transactionCode: '28', cents: 0, secCode: 'PPD' })
    await passDays(1)
    expect(await bank.files(of)).toHaveLength(1)
    await passDays(7)
    expect((await lastFile(of)).entries).toMatchObject([{ transactionCode: '27', cents: 4200 }])
  })

  test('never debits an account with a returned prenote', async () => {
    const { of, id, prenote } = await withPrenotes()
    await bank.give(bankFile([{ entry: prenote, code: 'R03' }]))
    expect(await load(`/v1/intents/${id}`, of)).toMatchObject({ status: 'failed', return_code: 'R03' })
    await passDays(9)
    expect(await bank.files(of)).toHaveLength(1)
  })
})

test('exchanges files with the bank through folders', async () => {
  const { of, id, entry } = await sent()
  const [file] = await bank.files(of)
  const name = String(file?.['name'])
  await expect.poll(() => readdirSync(join(folder, 'outgoing'))).toContain(name)
  expect(readFileSync(join(folder, 'outgoing', name), 'latin1')).toBe(await bank.content(of, file?.['id']))
  mkdirSync(join(folder, 'incoming'), { recursive: true })
  writeFileSync(join(folder, 'incoming', 'wrong.ach'), 'garbage')
  writeFileSync(join(folder, 'incoming', 'today.ach'), bankFile([{ entry, code: 'R02' }]))
  await expect.poll(() => readdirSync(join(folder, 'incoming'))).toEqual([])
  expect(readdirSync(join(folder, 'read'))).toContain('today.ach')
  expect(readFileSync(join(folder, 'refused', 'wrong.ach.reasons.txt'), 'utf8')).toMatch(/^Line 1: /)
  expect(await load(`/v1/intents/${id}`, of)).toMatchObject({ status: 'failed', return_code: 'R02' })
})

test('sends each event signed and at least once', async () => {
  const { id } = await sent()
  await expect
    .poll(() => sentEvents.filter(({ data }) => data['intent'] === id).map(({ type }) => type))
    .toContain('intent.processing')
})

test('rejects clock changes, faults and missing bank details in live mode', async () => {
  const live = await openBankfile(await testDatabase(), bank.settings.webhookUrl, { BANKFILE_LIVE: '1' })
  expect((await live.moveTo('2030-01-01T00:00:00Z')).status).toBe(404)
  const { body } = await live.send('POST', '/v1/accounts', { reference: 'a', name: 'A' }, { 'idempotency-key': 'a' })
  const intent = await live.send(
    'POST',
    '/v1/intents',
    { amount_cents: 1, method: 'echeck' },
    { 'idempotency-key': 'b', 'gateway-account': String(body['id']) },
  )
  expect(intent.body.error).toMatchObject({ code: 'not_set_up' })
  await live.close()
})
