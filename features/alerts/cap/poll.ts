import { FileRefused } from '../../../server/file-refused.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { InnerAddress, outgoing } from '../../../server/outgoing.ts'
import { parserOf } from '../../../server/parse.ts'
import { companyIdFrom, type Tx } from '../../../server/tenancy.ts'
import { say } from '../../../shared/words.ts'
import { decodeXml } from './decode.ts'
import type { CapAlert } from './message.ts'
import type { ParsedSource, ParsedMessage } from './source-parser.ts'
import { lookAtWaiting, type Source, takeMessage, type ImportContext } from './take.ts'

const TIMEOUT_MS = 15_000
const MAX_BYTES = 4 * 1024 * 1024
/** So many of a feed's messages are fetched in one round, the oldest first; the rest comes in the next ones. */
const MAX_MESSAGES = 50

/** So often a server may leave a round without an answer, each of which takes its time, before the rest waits for the next one. */
const MAX_SILENCES = 3

/** Why a source could not be read, in a sentence for staff. */
class Unreadable extends Error {}
/** It did not answer at all. */
class Silent extends Unreadable {}

const parserFile = new URL('source-parser.ts', import.meta.url)
const readAnswer = parserOf<[text: string, base: string], ParsedSource>(parserFile, 'readAnswer')
const readMessage = parserOf<[xml: string], ParsedMessage>(parserFile, 'readMessage')

/** What a source said: its messages, and what is wrong with it. */
interface SourceReading {
  /** Each with its address, or '' if it came with others. */
  messages: { cap: CapAlert; address: string }[]
  /** Of messages that have an address of their own: what was wrong with each that was fetched, '' where nothing was. */
  fetched: Map<string, string>
  /** Why something that it names could not be read. */
  problems: string[]
}

/**
 * Reads what a source has by now. Messages that are broken or missing don't keep the others out.
 * @param known what was wrong with a message that was fetched before; nothing where it was not
 * @throws Unreadable
 */
async function readSource(
  context: AppContext,
  { url, company_id: place }: Pick<Source, 'url' | 'company_id'>,
  known: (address: string) => string | undefined,
): Promise<SourceReading> {
  const fetchFrom = outgoing({ loopback: context.config.alertsLoopback, timeoutMs: TIMEOUT_MS, mostBytes: MAX_BYTES })
  const get = async (address: string): Promise<string> => {
    let answer: Response
    try {
      answer = await fetchFrom(address, {
        headers: { accept: 'application/cap+xml, application/atom+xml, text/xml', 'user-agent': 'Mainstreet' },
      })
    } catch (error) {
      if (error instanceof InnerAddress)
        throw new Unreadable(say`Its address is not https, or leads into a private network.`)
      throw new Silent(say`It did not answer in time, or hung up.`)
    }
    if (answer.status !== 200) throw new Unreadable(say`It answered with an error (${answer.status}).`)
    const decoded = decodeXml(new Uint8Array(await answer.arrayBuffer()), answer.headers.get('content-type') ?? '')
    if (decoded.text === undefined) throw new Unreadable(decoded.wrong)
    return decoded.text
  }
  const said: SourceReading = { messages: [], fetched: new Map(), problems: [] }
  /** Takes a message, or says why it is skipped. */
  const take = (address: string, message: ParsedMessage): void => {
    const problem = 'cap' in message ? '' : address ? say`${address}: ${message.skipped}` : message.skipped
    if ('cap' in message) said.messages.push({ cap: message.cap, address })
    else said.problems.push(problem)
    if (address !== '') said.fetched.set(address, problem)
  }
  const caller = String(place)
  const read = await readAnswer(caller, await get(url), url).catch((error: unknown) => {
    throw error instanceof FileRefused ? new Unreadable(error.message) : error
  })
  for (const message of read.messages) take('', message)
  // What was wrong with a message is said for as long as the feed names it.
  said.problems.push(...read.links.flatMap((address) => known(address) || []))
  const fresh = read.links.filter((address) => known(address) === undefined)
  let silences = 0
  for (const address of fresh.slice(0, MAX_MESSAGES)) {
    if (silences === MAX_SILENCES) break
    let xml: string
    try {
      xml = await get(address)
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      if (error instanceof Silent) silences += 1
      said.problems.push(say`${address}: ${error.message}`)
      continue
    }
    take(address, await readMessage(caller, xml).catch(skippedBy))
  }
  return said
}

/** A message that no parser can read is skipped like one that is wrong. */
function skippedBy(error: unknown): ParsedMessage {
  if (error instanceof FileRefused) return { skipped: error.message }
  throw error
}

/** What was wrong with messages that were fetched already, so that a feed of fifty is not fetched whole each minute. */
const read = new Map<string, string>()
const MAX_REMEMBERED = 20_000

/** So many servers are asked at once: one that doesn't answer keeps few others waiting. */
const CONCURRENCY = 8

const NOT_KEPT = 'One of its messages could not be stored and was skipped.'
/** Values that PostgreSQL refuses (class 22), and rows against its rules (class 23). */
const isUnkeepable = (error: unknown): boolean => /^2[23]/.test((error as { code?: string }).code ?? '')

/** Reads every source of every town once, and takes what is new. */
export async function readSources(context: AppContext): Promise<void> {
  const sources = await context.acrossCompanies((tx) =>
    tx
      .selectFrom('alert_source')
      .selectAll()
      .where('is_active', '=', true)
      .orderBy('company_id')
      .orderBy('id')
      .execute(),
  )
  const waiting = [...sources]
  const work = async () => {
    for (let source = waiting.shift(); source; source = waiting.shift()) {
      const { company_id: company, id } = source
      // One that fails keeps none of the others from being read.
      await readOne(context, source).catch((error: unknown) =>
        context.log.error({ err: error, company, source: id }, 'a source of alerts failed'),
      )
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
}

async function readOne(context: AppContext, source: Source): Promise<void> {
  const place = companyIdFrom('job', source.company_id)
  const key = (address: string) => `${source.company_id}/${source.id}/${address}`
  const inTown = (work: (tx: Tx, taking: ImportContext) => Promise<unknown>) =>
    context.inCompany(place, async (tx) => {
      const company = await context.hosts.byId(place, tx)
      if (company) await work(tx, { context, company, source })
    })
  await inTown(lookAtWaiting)
  let problem = ''
  try {
    const { messages, fetched, problems } = await readSource(context, source, (address) => read.get(key(address)))
    for (const { cap, address } of messages.toSorted((a, b) => Date.parse(a.cap.sent) - Date.parse(b.cap.sent)))
      try {
        await inTown((tx, taking) => takeMessage(tx, taking, cap))
      } catch (error) {
        // One that cannot be kept does not stop the others. The next round tries it again, unless it can never be kept.
        context.log.error({ err: error, company: place, source: source.id }, 'a message of a source failed')
        problems.push(NOT_KEPT)
        if (isUnkeepable(error) && address !== '') fetched.set(address, NOT_KEPT)
        else fetched.delete(address)
      }
    for (const [address, wrong] of fetched) read.set(key(address), wrong)
    for (const oldest of read.keys()) {
      if (read.size <= MAX_REMEMBERED) break
      read.delete(oldest)
    }
    problem = problems[0] ?? ''
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    problem = error.message
  }
  await context.inCompany(place, (tx) =>
    tx
      .updateTable('alert_source')
      .set({ read_at: context.clock.now(), problem })
      .where('company_id', '=', place)
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
