/** Parses the responses of alert sources. Runs in a separate thread. */
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { FileRefused } from '../../../server/file-refused.ts'
import { say } from '../../../shared/messages.ts'
import { hasEntities, otherVersionOf, withoutHtml } from './decode.ts'
import { CAP_NAMESPACE, type CapAlert } from './message.ts'
import { CapRefused, readCap, refusals } from './read.ts'

/** Maximum number of messages in one document. IPAWS sends a hundred at most. */
const MAX_MESSAGES = 500
/** Maximum number of entries read from a feed. Later entries are older. */
const MAX_ENTRIES = 2000

export type ParsedMessage = { cap: CapAlert } | { skipped: string }
/** Response of a source: messages, URLs of messages, or both. */
export interface ParsedSource {
  links: string[]
  messages: ParsedMessage[]
}

const parser = new XMLParser({
  ignoreAttributes: false,
  removeNSPrefix: true,
  parseTagValue: false,
  isArray: (name) => name === 'entry' || name === 'link',
})

interface Entry {
  id?: unknown
  content?: unknown
  link?: { '@_href'?: string; '@_type'?: string; '@_rel'?: string }[]
}

/** @throws FileRefused if the text is neither a message nor a feed */
export function parseSource(text: string, base: string): ParsedSource {
  if (/<(?:[\w.-]+:)?feed[\s/>]/.test(text.slice(0, 2000))) {
    if (hasEntities(text))
      throw new FileRefused(say`The feed defines its own entities or document type, which is not supported.`)
    const entries = entriesOf(text)
    return { links: linksOf(entries, base), messages: inlineIn(text, entries).map(readWithin) }
  }
  const version = otherVersionOf(text)
  if (version) throw new FileRefused(otherVersion(version))
  if (hasEntities(text)) throw new FileRefused(refusals.entities)
  if (!text.includes(CAP_NAMESPACE)) throw new FileRefused(say`The response is neither a CAP message nor a CAP feed.`)
  return { links: [], messages: messagesIn(text).map(readWithin) }
}

const otherVersion = (version: string): string =>
  say`The message uses CAP ${version}, but the portal reads only CAP 1.2. Ask the sender for version 1.2.`

/** Reads a message inside an envelope or feed. Adds the namespace, which can be declared outside the message. */
const readWithin = (xml: string): ParsedMessage =>
  readMessage(
    xml.includes(CAP_NAMESPACE) || otherVersionOf(xml)
      ? xml
      : xml.replace(/<((?:[\w.-]+:)?)alert/, `<$1alert xmlns="${CAP_NAMESPACE}"`),
  )

export function readMessage(xml: string): ParsedMessage {
  const version = otherVersionOf(xml)
  if (version) return { skipped: otherVersion(version) }
  try {
    return { cap: readCap(withoutHtml(xml)) }
  } catch (error) {
    if (!(error instanceof CapRefused)) throw error
    return { skipped: error.message }
  }
}

function entriesOf(feed: string): Entry[] {
  try {
    if (XMLValidator.validate(feed) !== true) throw new Error('it is not well-formed')
    return ((parser.parse(feed) as { feed?: { entry?: Entry[] } }).feed?.entry ?? []).slice(0, MAX_ENTRIES)
  } catch {
    throw new FileRefused(say`The response is not XML.`)
  }
}

const textIn = (content: unknown): string => {
  const text = typeof content === 'object' && content !== null && '#text' in content ? content['#text'] : content
  return typeof text === 'string' ? text : ''
}

/** True if an entry contains its message, as elements or as text. */
const isInline = (content: unknown): boolean =>
  (typeof content === 'object' && content !== null && 'alert' in content) || messagesIn(textIn(content)).length > 0

/** Returns the messages inside the entries of a feed, oldest first. */
const inlineIn = (feed: string, entries: readonly Entry[]): string[] =>
  [...messagesIn(feed), ...entries.flatMap(({ content }) => messagesIn(textIn(content)))].toReversed()

/**
 * Returns the URLs of the messages that a feed does not contain, oldest first. Uses Atom links to CAP, or else entry
 * ids, which are often URLs.
 */
function linksOf(entries: readonly Entry[], base: string): string[] {
  return entries
    .flatMap(({ id, content, link = [] }) => {
      if (isInline(content)) return []
      const named = link.find((one) => one['@_type'] === 'application/cap+xml') ?? link.find((one) => one['@_href'])
      const address = named?.['@_href'] ?? (typeof id === 'string' ? id : '')
      return URL.canParse(address, base) ? [new URL(address, base).href] : []
    })
    .toReversed()
}

/**
 * Returns the messages of a document: one, or several in an IPAWS envelope.
 * @throws FileRefused if a message is incomplete, or if there are too many messages
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
    if (messages.length > MAX_MESSAGES) throw new FileRefused(say`The response has more than ${MAX_MESSAGES} messages.`)
  }
  if (from !== null) throw new FileRefused(say`The response contains an incomplete message.`)
  return messages
}
