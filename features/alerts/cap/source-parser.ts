/** Reads what a source of alerts answers, in a thread. */
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { FileRefused } from '../../../server/file-refused.ts'
import { say } from '../../../shared/words.ts'
import { CAP_NAMESPACE, type CapAlert } from './message.ts'
import { CapRefused, readCap } from './read.ts'

/** Messages of one document. IPAWS has a hundred at most. */
const MAX_MESSAGES = 500
/** Entries of a feed. The rest are older. */
const MAX_ENTRIES = 2000

/** A message, or the sentence that says why it is skipped. */
export type ReadMessage = { cap: CapAlert } | { skipped: string }
/** A source answers with the addresses of its messages, or with the messages. */
export type ReadAnswer = { links: string[] } | { messages: ReadMessage[] }

const parser = new XMLParser({
  ignoreAttributes: false,
  removeNSPrefix: true,
  parseTagValue: false,
  isArray: (name) => name === 'entry' || name === 'link',
})

interface Entry {
  id?: unknown
  link?: { '@_href'?: string; '@_type'?: string; '@_rel'?: string }[]
}

/** @throws FileRefused if it is neither a message nor a feed */
export function readAnswer(text: string, base: string): ReadAnswer {
  if (/<(?:[\w.-]+:)?feed[\s/>]/.test(text.slice(0, 2000))) {
    if (/<!(?:DOCTYPE|ENTITY)/i.test(text))
      throw new FileRefused(say`It defines entities or a document type of its own, which no feed of alerts needs.`)
    return { links: linksOf(text, base) }
  }
  if (!text.includes(CAP_NAMESPACE))
    throw new FileRefused(say`It answered with something that is neither CAP nor a feed of it.`)
  return {
    messages: messagesIn(text).map((xml) =>
      // In an envelope the namespace may stand around the messages.
      readMessage(
        xml.includes(CAP_NAMESPACE) ? xml : xml.replace(/<((?:[\w.-]+:)?)alert/, `<$1alert xmlns="${CAP_NAMESPACE}"`),
      ),
    ),
  }
}

export function readMessage(xml: string): ReadMessage {
  try {
    return { cap: readCap(xml) }
  } catch (error) {
    if (!(error instanceof CapRefused)) throw error
    return { skipped: error.message }
  }
}

/** Where the messages of a feed are, the oldest first: Atom's links to CAP, else the ids of its entries, which are addresses with many. */
function linksOf(feed: string, base: string): string[] {
  let entries: Entry[]
  try {
    if (XMLValidator.validate(feed) !== true) throw new Error('it is not well-formed')
    entries = (parser.parse(feed) as { feed?: { entry?: Entry[] } }).feed?.entry ?? []
  } catch {
    throw new FileRefused(say`It answered with something that is no XML.`)
  }
  return entries
    .slice(0, MAX_ENTRIES)
    .flatMap(({ id, link = [] }) => {
      const named = link.find((one) => one['@_type'] === 'application/cap+xml') ?? link.find((one) => one['@_href'])
      const address = named?.['@_href'] ?? (typeof id === 'string' ? id : '')
      return URL.canParse(address, base) ? [new URL(address, base).href] : []
    })
    .toReversed()
}

/**
 * The messages that stand in a document: one, or several in an envelope as IPAWS has it.
 * @throws FileRefused if one does not end, or if they are too many
 */
function messagesIn(text: string): string[] {
  const messages: string[] = []
  let from: number | null = null
  for (const { 0: tag, 1: slash, index } of text.matchAll(/<(\/?)(?:[\w.-]+:)?alert[\s>]/g)) {
    if (slash === '') from ??= index
    else if (from !== null) {
      const end = text.indexOf('>', index + tag.length - 1)
      messages.push(text.slice(from, end < 0 ? text.length : end + 1))
      from = null
    }
    if (messages.length > MAX_MESSAGES) throw new FileRefused(say`It answered with more than ${MAX_MESSAGES} messages.`)
  }
  if (from !== null) throw new FileRefused(say`It answered with a message that does not end.`)
  return messages
}
