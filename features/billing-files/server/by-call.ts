import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { auditIn } from '../../../server/audit.ts'
import { CALL_PREFIX } from '../../../server/call.ts'
import { FileRefused } from '../../../server/csv-records.ts'
import { malformed, notFound, Refusal, rejected } from '../../../server/errors.ts'
import type { House } from '../../../server/house.ts'
import { dateIn } from '../../../shared/dates.ts'
import { sizeLabel } from '../../../shared/file-types.ts'
import { say } from '../../../shared/words.ts'
import { type BillsResult, rehearseBills } from '../../utility-accounts/server/import-bills.ts'
import { remittanceName } from '../rules.ts'
import { bearerOf, keyOf } from '../../api-keys/server/keys.ts'
import { type Bundle, withBundle } from './bundle.ts'
import { bySystem } from './keeping.ts'
import { remittanceFile } from './remittances.ts'
import { takeFile } from './take-file.ts'
import { accountsInGrace } from './tried.ts'

const MOST_BYTES = 400 * 1024 * 1024
/** A program that finds another file being taken over waits so long before it is told to come again. */
const PATIENCE_MS = 20_000
const BILLS = `${CALL_PREFIX}billing/bills`
const TRIED = `${CALL_PREFIX}billing/tried`
const REMITTANCES = `${CALL_PREFIX}billing/remittances`

type Asked = Record<string, unknown>

/** What a billing system calls by itself, with a key of the town's: bills in, remittances out (docs/billing-system.md). */
export function mountBillingCalls(app: FastifyInstance, house: House): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    // The body is read only from whoever has a key.
    scope.addContentTypeParser('*', (_request, body, done) => done(null, body))
    scope.post<{ Querystring: Asked }>(BILLS, (request) => takeBills(house, request))
    scope.get<{ Querystring: Asked }>(REMITTANCES, async (request) => {
      const { company } = await caller(house, request)
      const after = numberIn(request.query['after'] ?? '0')
      const rows = await house.readingCompany(company.id, (tx) =>
        tx
          .selectFrom('remittance_file')
          .select(['number', 'day', 'credits', 'credit_cents', 'reversals', 'reversal_cents'])
          .where('company_id', '=', company.id)
          .where('number', '>', after)
          .orderBy('number')
          .limit(1000)
          .execute(),
      )
      return {
        success: true,
        files: rows.map(({ credit_cents, reversal_cents, ...row }) => ({
          ...row,
          creditCents: credit_cents,
          reversalCents: reversal_cents,
        })),
      }
    })
    scope.get(TRIED, async (request) => {
      const { company } = await caller(house, request)
      const today = dateIn(company.timeZone, house.clock.now())
      return {
        success: true,
        accounts: await house.readingCompany(company.id, (tx) => accountsInGrace(tx, company.id, today)),
      }
    })
    scope.get<{ Params: { number: string } }>(`${REMITTANCES}/:number`, async (request, reply) => {
      const { company, key } = await caller(house, request)
      const number = numberIn(request.params.number)
      const stream = await remittanceFile(house, company.id, number)
      await house.inCompany(company.id, (tx) =>
        auditIn(tx, house.clock, company.id, doerOf(request), {
          action: 'remittances.downloaded',
          subject: { kind: 'remittance_file', id: number },
          detail: { key: key.name },
        }),
      )
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="${remittanceName(company.subdomain, number)}"`)
        .header('cache-control', 'no-store')
        .send(stream)
    })
  })
}

const doerOf = ({ id }: FastifyRequest) => ({ session: null, requestId: id, kind: 'system' }) as const

function numberIn(text: unknown): number {
  if (typeof text !== 'string' || !/^\d{1,9}$/.test(text)) throw malformed('Name a file of remittances by its number.')
  return Number(text)
}

/** The town whose host was called, and which of its programs calls. @throws 401, 404 */
async function caller(house: House, request: FastifyRequest) {
  const host = await house.hosts.resolve(request.headers.host)
  if (host.kind !== 'town' || !host.company) throw notFound('There is no municipality at this address.')
  const given = { key: bearerOf(request.headers.authorization), address: request.ip }
  const key = await keyOf(house, host.company, 'billing', given)
  request.caller = { companyId: host.company.id, session: null }
  return { company: host.company, key }
}

async function takeBills(house: House, request: FastifyRequest<{ Querystring: Asked }>) {
  const { company, key } = await caller(house, request)
  const { rehearsal, name } = request.query
  if (rehearsal !== undefined && rehearsal !== '1') throw malformed('For a rehearsal send rehearsal=1.')
  const path = join(tmpdir(), `mainstreet-bills-${randomUUID()}`)
  try {
    await writeBody(request.body, path)
    const sender = { house, ...doerOf(request) }
    const content = () => createReadStream(path)
    if (rehearsal === '1')
      return await withBundle(sender, content, async (bundle) =>
        reportOf(await rehearse(house, request, company.id, key.name, bundle), { rehearsal: true }),
      )
    const arrival = {
      name: typeof name === 'string' && name.trim() !== '' ? name.trim() : 'bills.csv',
      way: 'key',
      sender: key.name,
      who: bySystem(house.clock, key.name, request.id),
    } as const
    const { fileId, result } = await withBundle(sender, content, (bundle) =>
      takeFile(house, company.id, arrival, bundle, PATIENCE_MS),
    )
    return reportOf(result, { rehearsal: false, fileId })
  } catch (error) {
    throw error instanceof FileRefused ? rejected(error.message) : error
  } finally {
    await rm(path, { force: true })
  }
}

/** The file is whole before anything is done with it, so that a slow sender keeps nobody waiting. */
async function writeBody(body: unknown, path: string): Promise<void> {
  if (!(body instanceof Readable)) throw malformed('Send the CSV as the body, as text/csv.')
  let bytes = 0
  const limit = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      done(bytes > MOST_BYTES ? tooLarge() : null, chunk)
    },
  })
  await pipeline(body, limit, createWriteStream(path, { mode: 0o600 }))
}

const tooLarge = () =>
  new Refusal(
    413,
    'too_large',
    say`A file has at most ${sizeLabel(MOST_BYTES)}. Larger ones come by the watched folder.`,
  )

async function rehearse(
  house: House,
  request: FastifyRequest,
  company: Parameters<typeof rehearseBills>[1],
  key: string,
  { open, documents }: Bundle,
): Promise<BillsResult> {
  const result = await rehearseBills(house, company, open(), { documents })
  const { wrong: _, ...detail } = result
  await house.inCompany(company, (tx) =>
    auditIn(tx, house.clock, company, doerOf(request), { action: 'billing.asked', detail: { key, ...detail } }),
  )
  return result
}

const reportOf = ({ read: linesRead, ...result }: BillsResult, said: { rehearsal: boolean; fileId?: number }) => ({
  success: true,
  ...said,
  linesRead,
  ...result,
})
