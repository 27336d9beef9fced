import { XMLParser } from 'fast-xml-parser'
import type { House } from '../../../server/house.ts'
import { InnerAddress, outgoing } from '../../../server/outgoing.ts'
import { companyIdFrom } from '../../../server/tenancy.ts'
import { say } from '../../../shared/words.ts'
import { CAP_NAMESPACE, type CapAlert } from './message.ts'
import { CapRefused, readCap } from './read.ts'
import { type Source, takeMessage } from './take.ts'

const TIMEOUT_MS = 15_000
const MOST_BYTES = 4 * 1024 * 1024
/** A feed names the newest first; so many of its messages are fetched in one round. */
const MOST_MESSAGES = 50

/** Why a source could not be read, in a sentence for staff. */
class Unreadable extends Error {}

const parser = new XMLParser({
  ignoreAttributes: false,
  removeNSPrefix: true,
  parseTagValue: false,
  isArray: (name) => name === 'entry' || name === 'link',
})

interface Entry {
  id?: string
  link?: { '@_href'?: string; '@_type'?: string; '@_rel'?: string }[]
}

/** Where the messages of a feed are: Atom's links to CAP, else the ids of its entries, which are addresses with many. */
function linksOf(feed: string, base: string): string[] {
  const entries = ((parser.parse(feed) as { feed?: { entry?: Entry[] } }).feed?.entry ?? []).slice(0, MOST_MESSAGES)
  return entries.flatMap(({ id = '', link = [] }) => {
    const named = link.find((one) => one['@_type'] === 'application/cap+xml') ?? link.find((one) => one['@_href'])
    const address = named?.['@_href'] ?? id
    return URL.canParse(address, base) ? [new URL(address, base).href] : []
  })
}

/** The messages that stand in a document: one, or several in an envelope as IPAWS has it. */
const messagesIn = (text: string): string[] => text.match(/<(?:[\w.-]+:)?alert[\s>][^]*?<\/(?:[\w.-]+:)?alert>/g) ?? []

/** Reads what a source has by now. Messages that are broken don't keep the others out. @throws Unreadable */
async function readSource(house: House, { url }: Pick<Source, 'url'>, known: (address: string) => boolean) {
  const fetched = outgoing({ loopback: house.config.alertsLoopback, timeoutMs: TIMEOUT_MS, mostBytes: MOST_BYTES })
  const get = async (address: string): Promise<string> => {
    let answer: Response
    try {
      answer = await fetched(address, {
        headers: { accept: 'application/cap+xml, application/atom+xml, text/xml', 'user-agent': 'Mainstreet' },
      })
    } catch (error) {
      if (error instanceof InnerAddress)
        throw new Unreadable(say`Its address is not https, or leads into a private network.`)
      throw new Unreadable(say`It did not answer in time, or hung up.`)
    }
    if (answer.status !== 200) throw new Unreadable(say`It answered with an error (${answer.status}).`)
    return answer.text()
  }
  const text = await get(url)
  const messages: CapAlert[] = []
  const wrong: string[] = []
  const take = (xml: string) => {
    try {
      messages.push(readCap(xml))
    } catch (error) {
      if (!(error instanceof CapRefused)) throw error
      wrong.push(error.message)
    }
  }
  if (/<(?:[\w.-]+:)?feed[\s>]/.test(text.slice(0, 2000))) {
    const addresses = linksOf(text, url).filter((address) => !known(address))
    for (const address of addresses.toReversed()) take(await get(address))
    return { messages, wrong, addresses }
  }
  if (!text.includes(CAP_NAMESPACE))
    throw new Unreadable(say`It answered with something that is neither CAP nor a feed of it.`)
  // In an envelope the namespace may stand around the messages.
  for (const xml of messagesIn(text))
    take(xml.includes(CAP_NAMESPACE) ? xml : xml.replace(/<((?:[\w.-]+:)?)alert/, `<$1alert xmlns="${CAP_NAMESPACE}"`))
  return { messages, wrong, addresses: [] }
}

/** Addresses of messages that were read already, so that a feed of fifty is not fetched whole each minute. */
const read = new Map<string, true>()
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
    for (let source = waiting.shift(); source; source = waiting.shift()) await readOne(house, source)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

async function readOne(house: House, source: Source): Promise<void> {
  const place = companyIdFrom('job', source.company_id)
  const key = (address: string) => `${source.company_id}/${source.id}/${address}`
  let problem = ''
  try {
    const { messages, wrong, addresses } = await readSource(house, source, (address) => read.has(key(address)))
    for (const cap of messages.toSorted((a, b) => Date.parse(a.sent) - Date.parse(b.sent)))
      await house.inCompany(place, async (tx) => {
        const company = await house.hosts.byId(place, tx)
        if (company) await takeMessage(tx, { house, company, source }, cap)
      })
    for (const address of addresses) read.set(key(address), true)
    for (const oldest of read.keys()) {
      if (read.size <= MOST_KNOWN) break
      read.delete(oldest)
    }
    problem = wrong[0] ?? ''
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
