import { bankingDayAfter } from '../bankfile/banking-days.ts'
import { readNachaFile } from '../bankfile/nacha/read-file.ts'
import { checkDigitOf } from '../bankfile/nacha/routing.ts'
import { buildBankfile } from '../bankfile/app.ts'
import { readSettings } from '../bankfile/settings.ts'
import type { TestDatabase } from './databases.ts'

/**
 * Simulated bank. It reads the files that a company sends, and returns some of the entries in files of the same format.
 */

export const BANKFILE_KEY = 'a-key-for-the-bank-files'
export const BANKFILE_SECRET = 'a-secret-for-its-signatures'

type Json = Record<string, unknown>

/**
 * Starts the bank-file provider on a port, with its own schema in the test database. After `close`, a test may start
 * another one.
 */
export async function openBankfile(database: TestDatabase, webhookUrl: string, env: Record<string, string> = {}) {
  const settings = readSettings({
    BANKFILE_PORT: '0',
    BANKFILE_DATABASE_URL: database.url,
    BANKFILE_API_KEY: BANKFILE_KEY,
    BANKFILE_WEBHOOK_URL: webhookUrl,
    BANKFILE_WEBHOOK_SECRET: BANKFILE_SECRET,
    BANKFILE_FRAME_ANCESTORS: 'http://*.localhost:3000',
    BANKFILE_KEY: Buffer.alloc(32, 9).toString('base64'),
    BANKFILE_FAULT_HOLD_MS: '200',
    ...env,
  })
  const app = await buildBankfile(settings)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })

  async function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const isText = typeof body === 'string'
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${BANKFILE_KEY}`,
        ...(body !== undefined && { 'content-type': isText ? 'text/plain' : 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
    return {
      status: response.status,
      text,
      body: (isJson ? JSON.parse(text) : {}) as Json & { error?: { code: string; message: string } },
    }
  }
  const control = (path: string, body: unknown) => send('POST', `/v1/test/${path}`, body)
  return {
    app,
    url,
    settings,
    send,
    control,
    moveTo: (now: string) => control('clock', { now }),
    /** Creates a payment token, as the hosted fields do. */
    token: async (account: string, number = '000123456789', more: Json = {}) =>
      (
        await send('POST', `/fields/tokens?account=${account}`, {
          ...{ type: 'echeck', routing: '110000000', number, holder: 'Edna Meadows', account_type: 2, ...more },
        })
      ).body,
    files: async (account: string) =>
      ((await send('GET', '/v1/files', undefined, { 'gateway-account': account })).body['data'] ?? []) as Json[],
    content: async (account: string, id: unknown) =>
      (await send('GET', `/v1/files/${String(id)}/content`, undefined, { 'gateway-account': account })).text,
    give: (file: string, name = 'returns.ach') => send('POST', `/v1/returns?name=${name}`, file),
    exceptions: async (account: string) =>
      ((await send('GET', '/v1/exceptions', undefined, { 'gateway-account': account })).body['data'] ?? []) as Json[],
    close: () => app.close(),
  }
}
export type Bankfile = Awaited<ReturnType<typeof openBankfile>>

export interface SentEntry {
  trace: string
  transactionCode: string
  routing: string
  account: string
  cents: number
  secCode: string
  discretionaryData: string
  effectiveDate: string
}

/** Returns this day if it is a banking day, else the next banking day. */
export const bankingDay = (day: string): string => bankingDayAfter(day, 0)

/** Reads the portal's file as a bank would. */
export function entriesOf(content: string): SentEntry[] {
  const { file, problems } = readNachaFile(content)
  if (!file) throw new Error(problems[0]?.message)
  return file.batches.flatMap(({ header, entries }) =>
    entries.map(({ record }) => {
      if (record.layout !== 'entry') throw new Error('an entry of another layout')
      const { fields } = record
      return {
        trace: fields.trace,
        transactionCode: fields.transactionCode,
        routing: fields.rdfi + fields.checkDigit,
        account: fields.account.trim(),
        cents: fields.amount,
        secCode: header.fields.secCode,
        discretionaryData: fields.discretionaryData.trim(),
        effectiveDate: header.fields.effectiveDate,
      }
    }),
  )
}

/** Bank's response to an entry: a return code, or a change code with the corrected data. */
export interface BankReply {
  entry: Pick<SentEntry, 'trace' | 'transactionCode' | 'cents'>
  code: string
  /** Corrected data. Sent with a change code. */
  data?: string
}

const BANK = '11000000'
let sent = 0

/**
 * Writes a bank's file record by record. It does not use the portal's code for writing files, so that the test is
 * independent of that code.
 */
export function bankFile(records: readonly BankReply[]): string {
  const batches = [
    records.filter(({ code }) => code.startsWith('R')),
    records.filter(({ code }) => code.startsWith('C')),
  ]
  const lines = [
    `101 123456780 ${BANK}02611270930A094101${'TOWN'.padEnd(23)}${'BANK'.padEnd(23)}${String(++sent).padEnd(8)}`,
  ]
  const totals = { count: 0, hash: 0, debits: 0, credits: 0 }
  const figures = (width: number) => (value: number) => String(value).padStart(width, '0')
  const [six, ten, twelve, seven] = [figures(6), figures(10), figures(12), figures(7)]
  let number = 0
  for (const [at, batch] of batches.entries()) {
    if (batch.length === 0) continue
    const id = `${BANK}${seven(++number)}`
    lines.push(
      `5200${'TOWN'.padEnd(16)}${' '.repeat(20)}1234567890${at === 0 ? 'WEB' : 'COR'}${'UTILITY'.padEnd(10)}      261124   1${id}`,
    )
    const own = { debits: 0, credits: 0 }
    for (const [index, { entry, code, data }] of batch.entries()) {
      const isDebit = Number(entry.transactionCode[1]) >= 5
      const cents = at === 0 ? entry.cents : 0
      const returnCode = entry.transactionCode[0] + (at === 0 && isDebit ? '6' : '1')
      own[isDebit ? 'debits' : 'credits'] += cents
      const trace = BANK + seven(index + 1)
      lines.push(
        `6${returnCode}12345678${checkDigitOf('12345678')}${'X'.padEnd(17)}${ten(cents)}${' '.repeat(15)}${'EDNA MEADOWS'.padEnd(22)}S 1${trace}`,
      )
      lines.push(
        at === 0
          ? `799${code}${entry.trace}      ${BANK}${' '.repeat(44)}${trace}`
          : `798${code}${entry.trace}      ${BANK}${(data ?? '').padEnd(29)}${' '.repeat(15)}${trace}`,
      )
    }
    lines.push(
      `8200${six(batch.length * 2)}${ten(batch.length * 12_345_678)}${twelve(own.debits)}${twelve(own.credits)}1234567890${' '.repeat(25)}${id}`,
    )
    totals.count += batch.length * 2
    totals.hash += batch.length * 12_345_678
    totals.debits += own.debits
    totals.credits += own.credits
  }
  const blocks = Math.ceil((lines.length + 1) / 10)
  lines.push(
    `9${six(number)}${six(blocks)}${String(totals.count).padStart(8, '0')}${ten(totals.hash)}${twelve(totals.debits)}${twelve(totals.credits)}${' '.repeat(39)}`,
  )
  while (lines.length % 10 > 0) lines.push('9'.repeat(94))
  return `${lines.join('\n')}\n`
}
