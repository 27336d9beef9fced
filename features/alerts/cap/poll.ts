import { XMLParser, XMLValidator } from 'fast-xml-parser'
import type { House } from '../../../server/house.ts'
import { InnerAddress, outgoing } from '../../../server/outgoing.ts'
import { companyIdFrom, type Tx } from '../../../server/tenancy.ts'
import { say } from '../../../shared/words.ts'
import { decodeXml, hasEntities, otherVersionOf, withoutHtml } from './decode.ts'
import { CAP_NAMESPACE, type CapAlert } from './message.ts'
import { CapRefused, readCap, refusals } from './read.ts'
import { lookAtWaiting, type Source, takeMessage, type Taking } from './take.ts'

const TIMEOUT_MS = 15_000
const MOST_BYTES = 4 * 1024 * 1024
/** So many of a feed's messages are fetched in one round, the oldest first; the rest comes in the next ones. */
const MOST_MESSAGES = 50

/** So often a server may leave a round without an answer, each of which takes its time, before the rest waits for the next one. */
const MOST_SILENCES = 3

/** Why a source could not be read, in a sentence for staff. */
class Unreadable extends Error {}
/** It did not answer at all. */
class Silent extends Unreadable {}

const parser = new XMLParser({
  ignoreAttributes: false,
  removeNSPrefix: true,
  parseTagValue: false,
  isArray: (name) => name === 'entry' || name === 'link',
})

interface Entry {
  id?: string
  link?: { '@_href'?: string; '@_type'?: string; '@_rel'?: string }[]
  content?: unknown
}

/** Where the messages of a feed are, the oldest first: Atom's links to CAP, else the ids of its entries, which are addresses with many. */
function linksOf(feed: string, base: string): string[] {
  const entries = (parser.parse(feed) as { feed?: { entry?: Entry[] } }).feed?.entry ?? []
  return entries
    .flatMap(({ id = '', link = [], content }) => {
      if (isInline(content)) return []
      const named = link.find((one) => one['@_type'] === 'application/cap+xml') ?? link.find((one) => one['@_href'])
      const address = named?.['@_href'] ?? id
      return URL.canParse(address, base) ? [new URL(address, base).href] : []
    })
    .toReversed()
}

/** True if an entry holds its message, as elements or as text. */
const isInline = (content: unknown): boolean =>
  typeof content === 'string'
    ? messagesIn(content).length > 0
    : typeof content === 'object' && content !== null && ('alert' in content || isInline((content as Node)['#text']))
type Node = Record<string, unknown>

/** Messages that stand in the entries of a feed, the oldest first. */
function inlineIn(feed: string): string[] {
  const entries = (parser.parse(feed) as { feed?: { entry?: Entry[] } }).feed?.entry ?? []
  const asText = entries.flatMap(({ content }) => {
    const text = typeof content === 'string' ? content : (content as Node | undefined)?.['#text']
    return typeof text === 'string' ? messagesIn(text) : []
  })
  return [...messagesIn(feed), ...asText].toReversed()
}

/** The message with its namespace, which in an envelope may stand around it. */
const withNamespace = (xml: string): string =>
  xml.includes(CAP_NAMESPACE) ? xml : xml.replace(/<((?:[\w.-]+:)?)alert/, `<$1alert xmlns="${CAP_NAMESPACE}"`)

/** The messages that stand in a document: one, or several in an envelope as IPAWS has it. */
const messagesIn = (text: string): string[] => text.match(/<(?:[\w.-]+:)?alert[\s>][^]*?<\/(?:[\w.-]+:)?alert>/g) ?? []

const otherVersion = (version: string): string =>
  say`It is written in CAP ${version}, and only CAP 1.2 is read. Ask whoever sends it for version 1.2.`

/** What a source said: its messages, and what is wrong with it. */
interface Said {
  messages: CapAlert[]
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
  house: House,
  { url }: Pick<Source, 'url'>,
  known: (address: string) => string | undefined,
): Promise<Said> {
  const fetchFrom = outgoing({ loopback: house.config.alertsLoopback, timeoutMs: TIMEOUT_MS, mostBytes: MOST_BYTES })
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
  const text = await get(url)
  const said: Said = { messages: [], fetched: new Map(), problems: [] }
  /** Takes a message, and says what is wrong with it. */
  const take = (xml: string, address = ''): string => {
    const problem = problemOf(xml)
    const told = problem && address ? say`${address}: ${problem}` : problem
    if (told) said.problems.push(told)
    return told
  }
  const problemOf = (xml: string): string => {
    const version = otherVersionOf(xml)
    if (version) return otherVersion(version)
    if (hasEntities(xml)) return refusals.entities
    try {
      said.messages.push(readCap(withoutHtml(xml)))
      return ''
    } catch (error) {
      if (!(error instanceof CapRefused)) throw error
      return error.message
    }
  }
  if (/<(?:[\w.-]+:)?feed[\s/>]/.test(text.slice(0, 2000))) {
    if (hasEntities(text))
      throw new Unreadable(say`It defines entities or a document type of its own, which no feed of alerts needs.`)
    if (XMLValidator.validate(text) !== true) throw new Unreadable(say`It answered with something that is no XML.`)
    // In the entries, the namespace may stand around the messages.
    for (const xml of inlineIn(text)) take(withNamespace(xml))
    const links = linksOf(text, url)
    // What was wrong with a message is said for as long as the feed names it.
    said.problems.push(...links.flatMap((address) => known(address) || []))
    const fresh = links.filter((address) => known(address) === undefined)
    let silences = 0
    for (const address of fresh.slice(0, MOST_MESSAGES)) {
      if (silences === MOST_SILENCES) break
      try {
        said.fetched.set(address, take(await get(address), address))
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error
        if (error instanceof Silent) silences += 1
        said.problems.push(say`${address}: ${error.message}`)
      }
    }
    return said
  }
  const version = otherVersionOf(text)
  if (version) throw new Unreadable(otherVersion(version))
  if (hasEntities(text)) throw new Unreadable(refusals.entities)
  if (!text.includes(CAP_NAMESPACE))
    throw new Unreadable(say`It answered with something that is neither CAP nor a feed of it.`)
  // In an envelope the namespace may stand around the messages.
  for (const xml of messagesIn(text)) take(withNamespace(xml))
  return said
}

/** What was wrong with messages that were fetched already, so that a feed of fifty is not fetched whole each minute. */
const read = new Map<string, string>()
const MOST_KNOWN = 20_000

/** So many servers are asked at once: one that doesn't answer keeps few others waiting. */
const AT_ONCE = 8

/** Reads every source of every town once, and takes what is new. */
export async function readSources(house: House): Promise<void> {
  const sources = await house.acrossCompanies((tx) =>
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
      await readOne(house, source).catch((error: unknown) =>
        house.log.error({ err: error, company, source: id }, 'a source of alerts failed'),
      )
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

async function readOne(house: House, source: Source): Promise<void> {
  const place = companyIdFrom('job', source.company_id)
  const key = (address: string) => `${source.company_id}/${source.id}/${address}`
  const inTown = (work: (tx: Tx, taking: Taking) => Promise<unknown>) =>
    house.inCompany(place, async (tx) => {
      const company = await house.hosts.byId(place, tx)
      if (company) await work(tx, { house, company, source })
    })
  await inTown(lookAtWaiting)
  let problem = ''
  try {
    const { messages, fetched, problems } = await readSource(house, source, (address) => read.get(key(address)))
    for (const cap of messages.toSorted((a, b) => Date.parse(a.sent) - Date.parse(b.sent)))
      await inTown((tx, taking) => takeMessage(tx, taking, cap))
    for (const [address, wrong] of fetched) read.set(key(address), wrong)
    for (const oldest of read.keys()) {
      if (read.size <= MOST_KNOWN) break
      read.delete(oldest)
    }
    problem = problems[0] ?? ''
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    problem = error.message
  }
  await house.inCompany(place, (tx) =>
    tx
      .updateTable('alert_source')
      .set({ read_at: house.clock.now(), problem })
      .where('company_id', '=', place)
      .where('id', '=', source.id)
      .execute(),
  )
}

export function defineSourceJob(house: House): void {
  house.jobs.define('alerts.read_sources', () => readSources(house), {
    cron: '* * * * *',
    retryLimit: 0,
    timeoutSeconds: 600,
  })
}
