import type { Content } from '../../../server/contents.ts'
import { type PackValues, textsOf } from '../../../server/pack-texts.ts'
import type { Values } from '../../../shared/edits.ts'
import type { Definition } from '../../../shared/fields/definition.ts'
import { nationalDigits } from '../../../shared/phone.ts'

/** Removes facts about another municipality from the texts of a record. */

/** Settings of the municipality that shares a record. */
export interface Sharer {
  name: string
  city: string
  address1: string
  phone_no: string
  website_url: string
}

interface Replaced {
  before: string
  after: string
  count: number
}

const EMAIL = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g
/** North American phone number in any common form. */
const PHONE = /(?:\+?1[\s.-]?)?\(?\b[2-9]\d{2}\)?[\s.-]?\d{3}[\s.-]?\d{4}\b/g
const LINK = /\bhttps?:\/\/[^\s"'<>)\]]+|\bwww\.[^\s"'<>)\]]+/gi

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
const wholeText = (text: string) => new RegExp(String.raw`(?<![\p{L}\d])${escaped(text)}(?![\p{L}\d])`, 'giu')

/** Properties of questions with text for people. The others are names, types and rules. */
const TEXTS = new Set(['title', 'intro', 'label', 'help', 'text', 'row'])
const RICH = new Set(['steps', 'fields', 'columns', 'options'])

/**
 * Replaces the other municipality's name, address, website, phone numbers and emails in the texts of a content. The
 * own municipality's values take their place, or blanks such as `[phone number]`.
 * @returns the content, the replaced texts, and sentences that may still be about the other municipality
 */
export function neutralContent({ settings, questions }: Content, sharer: Sharer, values: PackValues) {
  const replaced = new Map<string, Replaced>()
  const mentions = new Set<string>()
  const filled = (marked: string) => String((textsOf({ marked }, 'en', values).texts as { marked: string }).marked)
  const note = (before: string, marked: string) => {
    const after = filled(marked)
    const entry = replaced.get(before.toLowerCase()) ?? { before, after, count: 0 }
    replaced.set(before.toLowerCase(), { ...entry, count: entry.count + 1 })
    return after
  }
  const rules: [RegExp, string | ((match: string) => string)][] = [
    [EMAIL, '[email]'],
    [LINK, (match) => (hostOf(match) === hostOf(sharer.website_url) ? '{website}' : '[website]')],
    [PHONE, (match) => (nationalDigits(match) === nationalDigits(sharer.phone_no) ? '{phone}' : '[phone number]')],
    ...(hostOf(sharer.website_url) === ''
      ? []
      : ([[wholeText(hostOf(sharer.website_url)), '{website}']] as [RegExp, string][])),
    ...(sharer.address1 === '' ? [] : ([[wholeText(sharer.address1), '{office}']] as [RegExp, string][])),
    [wholeText(sharer.name), '{municipality}'],
  ]
  const clean = (text: string): string => {
    let result = text
    for (const [pattern, marked] of rules)
      result = result.replaceAll(pattern, (match) => note(match, typeof marked === 'string' ? marked : marked(match)))
    if (placesOf(sharer).some((name) => wholeText(name).test(result))) mentions.add(result)
    return result
  }
  return {
    content: {
      settings: cleanValues(settings, clean),
      questions: questions && ({ steps: cleanQuestions(questions.steps, clean) } as Definition),
    },
    replaced: [...replaced.values()],
    mentions: [...mentions],
  }
}

/** Names of places that may be in texts: the city, and the name without words such as “Borough of”. */
function placesOf({ name, city }: Sharer): string[] {
  const short = name
    .replace(/^(?:the )?(?:city|town|township|borough|village|county|municipality) of /i, '')
    .replace(/ (?:city|town|township|borough|village|county)$/i, '')
  return [...new Set([short, city])].filter((text) => text.length > 2)
}

function hostOf(link: string): string {
  const [host = ''] = link.replace(/^https?:\/\//i, '').split(/[/?#:]/)
  return host.replace(/^www\./i, '').toLowerCase()
}

/** Cleans the texts of the settings. Codes and names of questions have no spaces or capitals, so they stay. */
const cleanValues = (settings: Values, clean: (text: string) => string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(settings).map(([field, value]) => [field, cleanValue(value, clean)]))

function cleanValue(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value)
  if (Array.isArray(value)) return value.map((one) => cleanValue(one, clean))
  if (typeof value !== 'object' || value === null) return value
  return cleanValues(value as Values, clean)
}

function cleanQuestions(value: unknown, clean: (text: string) => string): unknown {
  if (Array.isArray(value)) return value.map((one) => cleanQuestions(one, clean))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([property, inner]) => [
      property,
      TEXTS.has(property) && typeof inner === 'string'
        ? clean(inner)
        : RICH.has(property)
          ? cleanQuestions(inner, clean)
          : inner,
    ]),
  )
}
