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
let town: string
const told: { type: string; data: Json }[] = []
const listener = createServer((request, response) => {
  let raw = ''
  request.on('data', (chunk: Buffer) => (raw += chunk.toString()))
  request.on('end', () => {
    told.push(JSON.parse(raw) as (typeof told)[number])
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
  // A Monday without holidays around it, at ten in the morning in New York.
  await bank.moveTo('2027-03-01T15:00:00Z')
  town = await account()
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
const change = (path: string, body: unknown, { of = town, key = randomUUID() as string } = {}) =>
  bank.send('POST', path, body, { 'idempotency-key': key, 'gateway-account': of })
const look = async (path: string, of = town) =>
  (await bank.send('GET', path, undefined, { 'gateway-account': of })).body
const now = async () => new Date(String((await bank.send('GET', '/v1/test/clock')).body['now']))
/** Moves on so many days, and on from there to a banking day's end, just after the cutoff. */
const passDays = async (days: number) => {
  const day = new Date((await now()).getTime() + days * 86_400_000).toISOString().slice(0, 10)
  await bank.moveTo(`${bankingDayAfter(day, 0)}T21:30:00Z`)
}
const morning = async () => {
  const day = new Date((await now()).getTime() + 86_400_000).toISOString().slice(0, 10)
  await bank.moveTo(`${day}T14:00:00Z`)
}

const pay = async (cents = 10_195, { of = town, means = {} as Json } = {}) => {
  const { body: made } = await change(
    '/v1/intents',
    { amount_cents: cents, method: 'echeck', metadata: { company_id: '1' } },
    { of },
  )
  const token = 'payment_method' in means ? {} : { token: (await bank.token(of))['token'] }
  const { body } = await change(`/v1/intents/${String(made['id'])}/confirm`, { ...token, ...means }, { of })
  return body
}
const store = async (of = town) => {
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
const lastFile = async (of = town) => {
  const [file] = await bank.files(of)
  return { file, entries: file ? entriesOf(await bank.content(of, file['id'])) : [] }
}
const exceptionsOf = async (of: string) => (await bank.exceptions(of)).filter((one) => one['account'] === of)
/** A town with one debit in a file. */
const sent = async (means: Json = {}, of?: string) => {
  const whose = of ?? (await account())
  const method = means['stored'] ? await store(whose) : null
  const intent = await pay(10_195, { of: whose, means: method ? { payment_method: method, off_session: true } : {} })
  await passDays(1)
  const { entries } = await lastFile(whose)
  return { of: whose, method, id: String(intent['id']), entry: entries.at(-1) as (typeof entries)[number] }
}

test('what is typed into its fields is kept sealed, and shown by its last digits alone', async () => {
  const { token, method } = await bank.token(town, '98765432101234')
  expect(method).toMatchObject({ last4: '1234', account_type: 2 })
  const { rows } = await database.owner.query<{ row: string }>('SELECT d::text AS row FROM bankfile.detail d')
  expect(rows.some(({ row }) => row.includes('1234'))).toBe(true)
  expect(
    rows.filter(
      ({ row }) => row.includes('98765432101234') || row.includes(Buffer.from('98765432101234').toString('hex')),
    ),
  ).toEqual([])
  expect(JSON.stringify(token)).not.toContain('1234')
  expect((await bank.token(town, '12', { routing: '110000001' }))['errors']).toEqual({
    routing: expect.any(String) as string,
    number: expect.any(String) as string,
  })
})

test('its fields may be framed by our sites alone, and say that it is a test', async () => {
  const page = await fetch(`${bank.url}/fields/bank?parent=http://maplegrove.localhost:3000`)
  expect(page.headers.get('content-security-policy')).toContain('frame-ancestors http://*.localhost:3000')
  expect(await page.text()).toContain('TEST: no money moves.')
  expect((await fetch(`${bank.url}/fields/bank?parent=http://elsewhere.example`)).status).toBe(400)
  expect((await fetch(`${bank.url}/fields/card?parent=http://maplegrove.localhost:3000`)).status).toBe(404)
})

test('a debit waits for the cutoff, is in one file, and is paid once the bank kept it long enough', async () => {
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
  expect(await look(`/v1/intents/${String(intent['id'])}`, of)).toMatchObject({ status: 'processing' })
  await passDays(1)
  expect(await look(`/v1/intents/${String(intent['id'])}`, of)).toMatchObject({ status: 'succeeded' })
  expect(await bank.files(of)).toHaveLength(1)
  expect(await look('/v1/balance', of)).toMatchObject({ balance_cents: 10_195 })
})

test('what is confirmed after the cutoff goes into the next banking day’s file, with the day after as its effective day', async () => {
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

test('before its file is cut a debit is cancelled, and is in no file; after that the bank has it', async () => {
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

test('the same key has the same outcome, and with another body none', async () => {
  const key = randomUUID()
  const body = { amount_cents: 900, method: 'echeck' }
  const first = await change('/v1/intents', body, { key })
  expect((await change('/v1/intents', body, { key })).body).toEqual(first.body)
  expect((await change('/v1/intents', { ...body, amount_cents: 901 }, { key })).status).toBe(422)
  await bank.control('faults', { fault: 'timeout-after', path: '/confirm', count: 1 })
  const { token } = await bank.token(town)
  const confirm = () => change(`/v1/intents/${String(first.body['id'])}/confirm`, { token }, { key })
  await expect(confirm()).rejects.toThrow()
  expect((await confirm()).body).toMatchObject({ status: 'processing' })
})

test('two processes that close the same day cut one file', async () => {
  const second = await openBankfile(database, bank.settings.webhookUrl)
  const of = await account()
  await Promise.all(Array.from({ length: 6 }, () => pay(700, { of })))
  const day = new Date((await now()).getTime() + 3 * 86_400_000).toISOString()
  await Promise.all([bank.moveTo(day), second.moveTo(day), bank.control('flush', {}), second.control('flush', {})])
  await second.close()
  const files = await bank.files(of)
  expect(files.map(({ entries }) => entries)).toEqual([6])
})

describe('a return', () => {
  test.each(['R01', 'R10'])('%s before it is settled: it failed, and was never paid', async (code) => {
    const { of, id, entry } = await sent()
    expect((await bank.give(bankFile([{ entry, code }]))).body).toMatchObject({ returns: 1, exceptions: 0 })
    expect(await look(`/v1/intents/${id}`, of)).toMatchObject({
      status: 'failed',
      return_code: code,
      error: { retryable: code === 'R01' },
    })
    await passDays(5)
    expect(await look('/v1/balance', of)).toMatchObject({ balance_cents: 0, captured_cents: 0 })
  })

  test('counts in a file that breaks rules for originators', async () => {
    const { of, id, entry } = await sent()
    const file = bankFile([{ entry, code: 'R01' }])
      .replace(/^101.{10}(.{10})(.{10})./, '1019876543210$1$2 ')
      .replaceAll(/^(6.{75})S ?/gm, '$1  ')
    expect((await bank.give(file)).body).toMatchObject({ returns: 1, exceptions: 0 })
    expect(await look(`/v1/intents/${id}`, of)).toMatchObject({ status: 'failed', return_code: 'R01' })
  })

  test('after it is settled: it is taken back, and a later payout is less', async () => {
    const { of, id, entry } = await sent()
    await passDays(6)
    expect(await look(`/v1/intents/${id}`, of)).toMatchObject({ status: 'succeeded' })
    await morning()
    await bank.give(bankFile([{ entry, code: 'R10' }]))
    expect(await look(`/v1/intents/${id}`, of)).toMatchObject({ status: 'returned', return_code: 'R10' })
    await passDays(5)
    const payouts = ((await look('/v1/payouts?limit=500'))['data'] as Json[]).filter(
      (payout) => payout['account'] === of,
    )
    expect(payouts.map((payout) => payout['amount_cents'])).toEqual([10_195, -10_195])
    const lines = (await look(`/v1/payouts/${String(payouts[1]?.['id'])}/balance_transactions`, of))['data'] as Json[]
    expect(lines).toMatchObject([{ type: 'return', object_id: id, amount_cents: -10_195 }])
  })

  test('the same file twice changes nothing, and the same entry in another file waits for a person', async () => {
    const { of, entry } = await sent()
    const file = bankFile([{ entry, code: 'R01' }])
    expect((await bank.give(file)).body).toMatchObject({ returns: 1, again: false })
    expect((await bank.give(file)).body).toMatchObject({ returns: 1, again: true })
    expect((await bank.give(bankFile([{ entry, code: 'R01' }]))).body).toMatchObject({ returns: 0, exceptions: 1 })
    expect(await exceptionsOf(of)).toMatchObject([{ reason: 'twice', code: 'R01' }])
  })

  test('of no entry of ours, of another amount, or between banks waits for a person, and moves nothing', async () => {
    const { of, id, entry } = await sent()
    const says = [
      { entry: { ...entry, trace: '123456789999999' }, code: 'R01' },
      { entry: { ...entry, cents: 1 }, code: 'R01' },
    ]
    expect((await bank.give(bankFile(says))).body).toMatchObject({ returns: 0, exceptions: 2 })
    expect((await bank.exceptions(of)).slice(0, 2).map(({ reason }) => reason)).toEqual(['amount', 'unknown'])
    expect(await look(`/v1/intents/${id}`, of)).toMatchObject({ status: 'processing' })
  })

  test('later than the rules allow is booked, and told to a person', async () => {
    const { of, id, entry } = await sent()
    await passDays(14)
    await morning()
    await bank.give(bankFile([{ entry, code: 'R01' }]))
    expect(await look(`/v1/intents/${id}`, of)).toMatchObject({ status: 'returned' })
    expect(await exceptionsOf(of)).toMatchObject([{ reason: 'untimely' }])
  })

  test('a file with something wrong is refused whole, with its reasons', async () => {
    const { of, id, entry } = await sent()
    const { status, body } = await bank.give(bankFile([{ entry, code: 'R01' }]).replace('9000001', '9000002'))
    expect(status).toBe(422)
    expect(body.error?.message).toBe('Line 6, batch count: it says 2, and the file has 1 batches.')
    expect(await look(`/v1/intents/${id}`, of)).toMatchObject({ status: 'processing' })
  })

  // One town, one file with a debit for each code: what the code says is done to each.
  test('by each code does to the kept account what the rules say', async () => {
    const of = await account()
    const all = Object.keys(returnCodes).filter((code) => !isAboutReturn(code))
    const codes = [...new Set(['R01', 'R02', 'R05', 'R08', 'R10', 'R29', ...sampleOf(all)])].toSorted()
    const counted = (kind: string) => codes.filter((code) => returnCodes[code]?.counts === kind).length
    const methods = new Map<string, { method: string; id: string }>()
    await Promise.all(
      codes.map(async (code, nth) => {
        const method = await store(of)
        const intent = await pay(1000 + nth, { of, means: { payment_method: method, off_session: true } })
        methods.set(code, { method, id: String(intent['id']) })
      }),
    )
    await passDays(1)
    const { entries } = await lastFile(of)
    const says = codes.map((code, nth) => {
      const entry = entries.find(({ cents }) => cents === 1000 + nth)
      if (!entry) throw new Error('an entry is missing')
      return { entry, code }
    })
    expect((await bank.give(bankFile(says))).body).toMatchObject({ returns: codes.length })
    const checked = codes.map(async (code) => {
      const { method = '', id = '' } = methods.get(code) ?? {}
      expect(await look(`/v1/intents/${id}`, of)).toMatchObject({ status: 'failed', return_code: code })
      const again = await pay(50, { of, means: { payment_method: method, off_session: true } })
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
    expect(await look('/v1/return_rates', of)).toMatchObject({
      sent: codes.length,
      unauthorized: { returned: counted('unauthorized'), limit: 0.005, over: true },
      administrative: { returned: counted('administrative'), limit: 0.03, over: true },
      all: { returned: codes.length, over: true },
    })
  })
})

describe('a change', () => {
  test.each([
    ['C01', '000123456788', { account: '000123456788' }],
    ['C02', '021000021', { routing: '021000021' }],
    ['C03', '021000021   5550001', { routing: '021000021', account: '5550001' }],
    ['C05', '37', { transactionCode: '37' }],
    ['C06', `${'5550002'.padEnd(20)}37`, { account: '5550002', transactionCode: '37' }],
    ['C07', `021000021${'5550003'.padEnd(17)}37`, { routing: '021000021', account: '5550003', transactionCode: '37' }],
  ])('%s corrects the next debit', async (code, data, corrected) => {
    const { of, method, entry } = await sent({ stored: true })
    expect((await bank.give(bankFile([{ entry, code, data }]))).body).toMatchObject({ changes: 1, exceptions: 0 })
    await pay(333, { of, means: { payment_method: method, off_session: true } })
    await passDays(3)
    const before = { account: '000123456789', routing: '110000000', transactionCode: '27' }
    expect((await lastFile(of)).entries).toMatchObject([{ cents: 333, ...before, ...corrected }])
  })

  test('of what is not the account’s, or without what it corrects, waits for a person', async () => {
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

describe('a refund', () => {
  test('is a credit in the next file, and gone once that is cut', async () => {
    const { of, id } = await sent()
    await passDays(6)
    const { body: refund } = await change('/v1/refunds', { intent: id, amount_cents: 195 }, { of })
    expect(refund).toMatchObject({ status: 'pending' })
    await passDays(3)
    const { entries } = await lastFile(of)
    expect(entries).toMatchObject([{ transactionCode: '22', cents: 195, secCode: 'PPD' }])
    expect(await look(`/v1/refunds/${String(refund['id'])}`, of)).toMatchObject({ status: 'succeeded' })
    expect(await look('/v1/balance', of)).toMatchObject({ balance_cents: 10_000 })
    await bank.give(bankFile([{ entry: entries[0] as (typeof entries)[number], code: 'R02' }]))
    expect(await look(`/v1/refunds/${String(refund['id'])}`, of)).toMatchObject({ status: 'failed' })
    expect(await look(`/v1/intents/${id}`, of)).toMatchObject({ refunded_cents: 0, status: 'succeeded' })
    expect(await look('/v1/balance', of)).toMatchObject({ balance_cents: 10_195 })
  })

  test('of more than is left is refused', async () => {
    const { of, id } = await sent()
    await passDays(6)
    expect((await change('/v1/refunds', { intent: id, amount_cents: 10_196 }, { of })).body.error).toMatchObject({
      code: 'too_much',
    })
  })
})

describe('a town that tries accounts by prenotes', () => {
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
    const intent = await pay(4200, { of, means: { payment_method: method, off_session: true } })
    await passDays(1)
    return {
      of,
      method,
      id: String(intent['id']),
      prenote: (await lastFile(of)).entries[0] as ReturnType<typeof entriesOf>[number],
    }
  }

  test('debits one three banking days after, where its bank said nothing', async () => {
    const { of, prenote } = await withPrenotes()
    expect(prenote).toMatchObject({ transactionCode: '28', cents: 0, secCode: 'PPD' })
    await passDays(1)
    expect(await bank.files(of)).toHaveLength(1)
    await passDays(7)
    expect((await lastFile(of)).entries).toMatchObject([{ transactionCode: '27', cents: 4200 }])
  })

  test('never debits one that came back', async () => {
    const { of, id, prenote } = await withPrenotes()
    await bank.give(bankFile([{ entry: prenote, code: 'R03' }]))
    expect(await look(`/v1/intents/${id}`, of)).toMatchObject({ status: 'failed', return_code: 'R03' })
    await passDays(9)
    expect(await bank.files(of)).toHaveLength(1)
  })
})

test('files lie in the folder for the bank’s officer, and the bank’s are taken from there', async () => {
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
  expect(await look(`/v1/intents/${id}`, of)).toMatchObject({ status: 'failed', return_code: 'R02' })
})

test('what changed is told, signed, at least once', async () => {
  const { id } = await sent()
  await expect
    .poll(() => told.filter(({ data }) => data['intent'] === id).map(({ type }) => type))
    .toContain('intent.processing')
})

test('where money moves, its clock and faults can’t be moved, and a town needs its bank’s details', async () => {
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
