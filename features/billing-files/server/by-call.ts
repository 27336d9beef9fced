import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { auditCompany } from '../../../server/audit.ts'
import { CALL_PREFIX } from '../../../shared/call-prefix.ts'
import { FileRefused } from '../../../server/file-refused.ts'
import { malformed, notFound, Refusal, rejected } from '../../../server/errors.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { dateIn } from '../../../shared/dates.ts'
import { sizeLabel } from '../../../shared/file-types.ts'
import { say } from '../../../shared/messages.ts'
import { type BillsResult, previewBills } from '../../utility-accounts/api.ts'
import { remittanceName } from '../rules.ts'
import { bearerOf, keyOf } from '../../api-keys/api.ts'
import { type Bundle, withBundle } from './bundle.ts'
import { bySystem } from './file-store.ts'
import { remittanceFile } from './remittances.ts'
import { takeFile } from './take-file.ts'
import { accountsInGrace } from './tried.ts'

const MAX_BYTES = 400 * 1024 * 1024
/** Time that a program waits for another import before the portal asks it to retry, in milliseconds. */
const TIMEOUT_MS = 20_000
const BILLS = `${CALL_PREFIX}billing/bills`
const TRIED = `${CALL_PREFIX}billing/tried`
const REMITTANCES = `${CALL_PREFIX}billing/remittances`

type ImportParameters = Record<string, unknown>

/**
 * Mounts the calls of a billing system, which need an API key of the company. The system sends bills and reads
 * remittances (docs/billing-system.md).
 */
export function mountBillingCalls(app: FastifyInstance, context: AppContext): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    // Leaves the body unread until the API key is checked.
    scope.addContentTypeParser('*', (_request, body, done) => done(null, body))
    scope.post<{ Querystring: ImportParameters }>(BILLS, (request) => takeBills(context, request))
    scope.get<{ Querystring: ImportParameters }>(REMITTANCES, async (request) => {
      const { company } = await caller(context, request)
      const after = numberIn(request.query['after'] ?? '0')
      const rows = await context.readingCompany(company.id, (tx) =>
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
      const { company } = await caller(context, request)
      const today = dateIn(company.timeZone, context.clock.now())
      return {
        success: true,
        accounts: await context.readingCompany(company.id, (tx) => accountsInGrace(tx, company.id, today)),
      }
    })
    scope.get<{ Params: { number: string } }>(`${REMITTANCES}/:number`, async (request, reply) => {
      const { company, key } = await caller(context, request)
      const number = numberIn(request.params.number)
      const stream = await remittanceFile(context, company.id, number)
      await context.inCompany(company.id, (tx) =>
        auditCompany(tx, context.clock, company.id, actorOf(request), {
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

const actorOf = ({ id }: FastifyRequest) => ({ session: null, requestId: id, kind: 'system' }) as const

function numberIn(text: unknown): number {
  if (typeof text !== 'string' || !/^\d{1,9}$/.test(text)) throw malformed('Specify the remittance file number.')
  return Number(text)
}

/**
 * Finds the company of the host and the API key of the calling program.
 * @throws 401 if the key is not valid, 404 if the host has no company
 */
async function caller(context: AppContext, request: FastifyRequest) {
  const host = await context.hosts.resolve(request.headers.host)
  if (host.kind !== 'company' || !host.company) throw notFound('No municipality exists at this address.')
  const credentials = { key: bearerOf(request.headers.authorization), address: request.ip }
  const key = await keyOf(context, host.company, 'billing', credentials)
  request.caller = { companyId: host.company.id, session: null }
  return { company: host.company, key }
}

async function takeBills(context: AppContext, request: FastifyRequest<{ Querystring: ImportParameters }>) {
  const { company, key } = await caller(context, request)
  const { preview: isPreview, name } = request.query
  if (isPreview !== undefined && isPreview !== '1') throw malformed('For a preview, send preview=1.')
  const path = join(tmpdir(), `mainstreet-bills-${randomUUID()}`)
  try {
    await writeBody(request.body, path)
    const sender = { context, ...actorOf(request) }
    const content = () => createReadStream(path)
    if (isPreview === '1')
      return await withBundle(sender, content, async (bundle) =>
        reportOf(await preview(context, request, company.id, key.name, bundle), { preview: true }),
      )
    const arrival = {
      name: typeof name === 'string' && name.trim() !== '' ? name.trim() : 'bills.csv',
      source: 'key',
      sender: key.name,
      actor: bySystem(context.clock, key.name, request.id),
    } as const
    const { fileId, result } = await withBundle(sender, content, (bundle) =>
      takeFile(context, company.id, arrival, bundle, TIMEOUT_MS),
    )
    return reportOf(result, { preview: false, fileId })
  } catch (error) {
    throw error instanceof FileRefused ? rejected(error.message) : error
  } finally {
    await rm(path, { force: true })
  }
}

/** Writes the whole body to a file before the import starts, so that a slow sender does not block other imports. */
async function writeBody(body: unknown, path: string): Promise<void> {
  if (!(body instanceof Readable)) throw malformed('Send the CSV as the request body, with the content type text/csv.')
  let bytes = 0
  const limit = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      done(bytes > MAX_BYTES ? tooLarge() : null, chunk)
    },
  })
  await pipeline(body, limit, createWriteStream(path, { mode: 0o600 }))
}

const tooLarge = () =>
  new Refusal(
    413,
    'too_large',
    say`A file can be up to ${sizeLabel(MAX_BYTES)}. Send larger files through the watched folder.`,
  )

async function preview(
  context: AppContext,
  request: FastifyRequest,
  company: Parameters<typeof previewBills>[1],
  key: string,
  { open, documents }: Bundle,
): Promise<BillsResult> {
  const result = await previewBills(context, company, open(), { documents })
  const { invalidRows: _, ...detail } = result
  await context.inCompany(company, (tx) =>
    auditCompany(tx, context.clock, company, actorOf(request), {
      action: 'billing.preview_requested',
      detail: { key, ...detail },
    }),
  )
  return result
}

const reportOf = ({ read: linesRead, ...result }: BillsResult, extra: { preview: boolean; fileId?: number }) => ({
  success: true,
  ...extra,
  linesRead,
  ...result,
})
