import { say } from '../../../shared/messages.ts'
import { CAP_NAMESPACE } from './message.ts'

/** Text of a response, or a sentence that explains why the response is unreadable. */
export type DecodeResult = { text: string; problem?: undefined } | { text?: undefined; problem: string }

/**
 * Decodes an XML document (RFC 7303). The encoding comes from the byte order mark, the content type or the first line,
 * in this order. The default is UTF-8. Invalid UTF-8 is read as Windows-1252, so that a warning with an accent is not
 * lost.
 */
export function decodeXml(bytes: Uint8Array, contentType: string): DecodeResult {
  const named = encodingOf(bytes, contentType)
  for (const encoding of [...named, 'utf-8', 'windows-1252']) {
    const decoder = decoderOf(encoding)
    if (!decoder) return { problem: say`The file uses the encoding ${encoding.slice(0, 40)}, which is not supported.` }
    try {
      return { text: decoder.decode(bytes).replace(/^\uFEFF/, '') }
    } catch {
      // The bytes are not valid in this encoding, so the next one is tried.
    }
  }
  return { problem: say`The response is not XML.` }
}

function decoderOf(encoding: string): TextDecoder | null {
  try {
    return new TextDecoder(encoding, { fatal: true })
  } catch {
    return null
  }
}

/** Lists the encodings that a document declares, in order of priority. */
function encodingOf(bytes: Uint8Array, contentType: string): string[] {
  const begins = Buffer.from(bytes.subarray(0, 400)).toString('latin1')
  if (begins.startsWith('\xEF\xBB\xBF')) return ['utf-8']
  if (begins.startsWith('\xFE\xFF') || begins.startsWith('\0<')) return ['utf-16be']
  if (begins.startsWith('\xFF\xFE') || begins.startsWith('<\0')) return ['utf-16le']
  const [, sent] = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType) ?? []
  const [, declared] = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([^"']+)["']/i.exec(begins) ?? []
  return [sent, declared].flatMap((name) => name ?? [])
}

/**
 * Returns a document without its CDATA sections and comments. Inside these, `<!DOCTYPE` and `&name;` are plain text.
 */
const markupOf = (xml: string): string => xml.replaceAll(/<!\[CDATA\[[^]*?\]\]>|<!--[^]*?-->/g, '')

/** Entities of XML, and the HTML entities that the parser resolves. */
const KNOWN_ENTITIES = new Set(
  'lt gt amp quot apos nbsp cent pound yen euro copyright reg inr'.split(' ').map((name) => `&${name};`),
)

/**
 * True if a document defines entities or a document type, or uses an undefined entity. Without this check, readers
 * would see text such as `&e1;`.
 */
export function hasEntities(xml: string): boolean {
  const markup = markupOf(xml)
  return (
    /<!(?:DOCTYPE|ENTITY)/i.test(markup) ||
    (markup.match(/&[A-Za-z_][\w.-]*;/g) ?? []).some((name) => !KNOWN_ENTITIES.has(name))
  )
}

/** HTML elements that become line breaks. */
const LINES = /<\/?(?:[\w-]+:)?(?:br|hr|p|div|ul|ol|li|tr|table|pre|blockquote|h[1-6])(?:\s[^<>]*)?\/?>/gi
/** HTML elements inside a line. */
const WITHIN =
  /<\/?(?:[\w-]+:)?(?:b|i|u|s|a|em|strong|span|font|small|sub|sup|td|th|tbody|img|code|center)(?:\s[^<>]*)?\/?>/gi

/** Removes HTML elements and keeps line breaks. CAP has no elements with these names. */
export const withoutHtml = (text: string): string => text.replaceAll(LINES, '\n').replaceAll(WITHIN, '')

/** Returns the CAP version of a document, for example '1.1'. Null if it is the supported version. */
export function otherVersionOf(xml: string): string | null {
  if (xml.includes(CAP_NAMESPACE)) return null
  return /(?:emergency:cap:|\/cap\/)(\d\.\d)/.exec(xml.slice(0, 4000))?.[1] ?? null
}
