import { FileRefused } from '../../../server/file-refused.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { InnerAddress, outgoing } from '../../../server/outgoing.ts'
import { parserOf } from '../../../server/parse.ts'
import { companyIdFrom, type Tx } from '../../../server/tenancy.ts'
import { whereOn } from '../../../server/modules.ts'
import { say } from '../../../shared/messages.ts'
import { decodeXml } from './decode.ts'
import type { CapAlert } from './message.ts'
import type { ParsedSource, ParsedMessage } from './source-parser.ts'
import { processPending, type Source, takeMessage, type ImportContext } from './take.ts'

const TIMEOUT_MS = 15_000
const MAX_BYTES = 4 * 1024 * 1024
/** Maximum number of messages fetched from a feed in one run, oldest first. Later runs fetch the rest. */
const MAX_MESSAGES = 50

/**
 * Number of requests without a response after which a source waits for the next run. Each such request takes up to the
 * time-out.
 */
const MAX_SILENCES = 3

/** Error if a source could not be read. The error message is a sentence for staff. */
class Unreadable extends Error {}
class Silent extends Unreadable {}

const parserFile = new URL('source-parser.ts', import.meta.url)
const parseSource = parserOf<[text: string, base: string], ParsedSource>(parserFile, 'parseSource')
const readMessage = parserOf<[xml: string], ParsedMessage>(parserFile, 'readMessage')

/** Result of reading a source: its messages and problems. */
interface SourceReading {
  /** Messages with their URLs. The URL is '' for a message that came in the source's own document. */
  messages: { cap: CapAlert; address: string }[]
  /** Problem of each fetched message by URL, or '' if the message has none. Only for messages with their own URL. */
  fetched: Map<string, string>
  /** Reasons why messages of the source could not be read. */
  problems: string[]
}

/**
 * Reads the messages of a source. A broken or missing message does not block the others.
 * @param earlierProblem problem of a message fetched earlier, or undefined
 * @throws Unreadable
 */
async function readSource(
  context: AppContext,
  { url, company_id: companyId }: Pick<Source, 'url' | 'company_id'>,
  earlierProblem: (address: string) => string | undefined,
): Promise<SourceReading> {
  const fetchFrom = outgoing({ loopback: context.config.alertsLoopback, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES })
  const get = async (address: string): Promise<string> => {
    let response: Response
    try {
      response = await fetchFrom(address, {
        headers: { accept: 'application/cap+xml, application/atom+xml, text/xml', 'user-agent': 'Mainstreet' },
      })
    } catch (error) {
      if (error instanceof InnerAddress)
        throw new Unreadable(say`The address does not use https, or it leads to a private network.`)
      throw new Silent(say`The server did not respond in time, or it closed the connection.`)
    }
    if (response.status !== 200) throw new Unreadable(say`The server returned an error (${response.status}).`)
    const decoded = decodeXml(new Uint8Array(await response.arrayBuffer()), response.headers.get('content-type') ?? '')
    if (decoded.text === undefined) throw new Unreadable(decoded.problem)
    return decoded.text
  }
  const reading: SourceReading = { messages: [], fetched: new Map(), problems: [] }
  /** Accepts a message or records the reason that it is skipped. */
  const take = (address: string, message: ParsedMessage): void => {
    const problem = 'cap' in message ? '' : address ? say`${address}: ${message.skipped}` : message.skipped
    if ('cap' in message) reading.messages.push({ cap: message.cap, address })
    else reading.problems.push(problem)
    if (address !== '') reading.fetched.set(address, problem)
  }
  const caller = String(companyId)
  const read = await parseSource(caller, await get(url), url).catch((error: unknown) => {
    throw error instanceof FileRefused ? new Unreadable(error.message) : error
  })
  for (const message of read.messages) take('', message)
  // The problem of a message is reported as long as the feed lists the message.
  reading.problems.push(...read.links.flatMap((address) => earlierProblem(address) || []))
  const fresh = read.links.filter((address) => earlierProblem(address) === undefined)
  let silences = 0
  for (const address of fresh.slice(0, MAX_MESSAGES)) {
    if (silences === MAX_SILENCES) break
    let xml: string
    try {
      xml = await get(address)
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      if (error instanceof Silent) silences += 1
      reading.problems.push(say`${address}: ${error.message}`)
      continue
    }
    take(address, await readMessage(caller, xml).catch(skippedBy))
  }
  return reading
}

/** Returns the reason to skip a message that the parser refused. Throws all other errors again. */
function skippedBy(error: unknown): ParsedMessage {
  if (error instanceof FileRefused) return { skipped: error.message }
  throw error
}

/**
 * Problems of messages fetched earlier, by source and URL. The map prevents fetching all messages of a feed again each
 * minute.
 */
const read = new Map<string, string>()
const MAX_REMEMBERED = 20_000

/** Number of sources that are read in parallel, so that a slow server delays only a few others. */
const CONCURRENCY = 8

const NOT_STORED = 'One message could not be stored and was skipped.'
/** True for errors about values that PostgreSQL refuses (class 22) and for constraint violations (class 23). */
const isUnkeepable = (error: unknown): boolean => /^2[23]/.test((error as { code?: string }).code ?? '')

/** Reads every source of every company once and processes new messages. */
export async function readSources(context: AppContext): Promise<void> {
  const sources = await context.acrossCompanies((tx) =>
    tx
      .selectFrom('alert_source')
      .selectAll()
      .where('is_active', '=', true)
      .where(whereOn('alerts'))
      .orderBy('company_id')
      .orderBy('id')
      .execute(),
  )
  const queue = [...sources]
  const work = async () => {
    for (let source = queue.shift(); source; source = queue.shift()) {
      const { company_id: company, id } = source
      // An error in one source does not block the others.
      await readOne(context, source).catch((error: unknown) =>
        context.log.error({ err: error, company, source: id }, 'a source of alerts failed'),
      )
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
}

async function readOne(context: AppContext, source: Source): Promise<void> {
  const companyId = companyIdFrom('job', source.company_id)
  const key = (address: string) => `${source.company_id}/${source.id}/${address}`
  const inImport = (work: (tx: Tx, taking: ImportContext) => Promise<unknown>) =>
    context.inCompany(companyId, async (tx) => {
      const company = await context.hosts.byId(companyId, tx)
      if (company) await work(tx, { context, company, source })
    })
  await inImport(processPending)
  let problem = ''
  try {
    const { messages, fetched, problems } = await readSource(context, source, (address) => read.get(key(address)))
    for (const { cap, address } of messages.toSorted((a, b) => Date.parse(a.cap.sent) - Date.parse(b.cap.sent)))
      try {
        await inImport((tx, taking) => takeMessage(tx, taking, cap))
      } catch (error) {
        // A message that can't be stored does not block the others. The next run tries the message again, unless it can
        // never be stored.
        context.log.error({ err: error, company: companyId, source: source.id }, 'a message of a source failed')
        problems.push(NOT_STORED)
        if (isUnkeepable(error) && address !== '') fetched.set(address, NOT_STORED)
        else fetched.delete(address)
      }
    for (const [address, failure] of fetched) read.set(key(address), failure)
    for (const oldest of read.keys()) {
      if (read.size <= MAX_REMEMBERED) break
      read.delete(oldest)
    }
    problem = problems[0] ?? ''
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    problem = error.message
  }
  await context.inCompany(companyId, (tx) =>
    tx
      .updateTable('alert_source')
      .set({ read_at: context.clock.now(), problem })
      .where('company_id', '=', companyId)
      .where('id', '=', source.id)
      .execute(),
  )
}

export function defineSourceJob(context: AppContext): void {
  context.jobs.define('alerts.read_sources', () => readSources(context), {
    cron: '* * * * *',
    retryLimit: 0,
    timeoutSeconds: 600,
  })
}
