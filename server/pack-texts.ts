/** Texts of starter packs: two languages, and placeholders that the municipality's settings replace. */

export const packLanguages = ['en', 'es'] as const
export type PackLanguage = (typeof packLanguages)[number]

export const packPlaceholders = ['municipality', 'phone', 'hours', 'office', 'website'] as const
export type PackPlaceholder = (typeof packPlaceholders)[number]

/** Values of the placeholders by language. A value that the settings lack is an empty string. */
export type PackValues = Readonly<Record<PackLanguage, Readonly<Record<PackPlaceholder, string>>>>

/** Blanks for values that the settings lack. Staff fill them in. */
const blanks: PackValues = {
  en: {
    municipality: '[municipality]',
    phone: '[phone number]',
    hours: '[office hours]',
    office: '[office address]',
    website: '[website]',
  },
  es: {
    municipality: '[municipio]',
    phone: '[teléfono]',
    hours: '[horario]',
    office: '[dirección de la oficina]',
    website: '[sitio web]',
  },
}

const unfilledNames = Object.fromEntries(packPlaceholders.map((name) => [name, `{${name}}`])) as Record<
  PackPlaceholder,
  string
>
/** Values that leave the placeholders as they are. */
export const unfilled: PackValues = { en: unfilledNames, es: unfilledNames }

const PLACEHOLDER = /\{(municipality|phone|hours|office|website)\}/g

/** Returns the names of all placeholders in a pack. */
export function placeholdersIn(content: unknown): ReadonlySet<PackPlaceholder> {
  return new Set([...JSON.stringify(content).matchAll(PLACEHOLDER)].map(([, name]) => name as PackPlaceholder))
}

type Json = string | number | boolean | null | Json[] | { [name: string]: Json }
interface Bilingual {
  en: Json
  es: Json
}

const isBilingual = (value: object): value is Bilingual =>
  Object.keys(value).length === 2 && 'en' in value && 'es' in value

/**
 * Replaces the texts of an entry by those of one language, and its placeholders by the company's values.
 * @param language null to keep both languages
 * @returns `isComplete` is false if a placeholder has no value
 */
export function textsOf(content: object, language: PackLanguage | null, values: PackValues) {
  let isComplete = true
  const fill = (text: string, of: PackLanguage) =>
    text.replaceAll(PLACEHOLDER, (_, name: PackPlaceholder) => {
      if (values[of][name] !== '') return values[of][name]
      isComplete = false
      return blanks[of][name]
    })
  const read = (value: Json, of: PackLanguage): Json => {
    if (typeof value === 'string') return fill(value, of)
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map((one) => read(one, of))
    if (isBilingual(value))
      return language ? read(value[language], language) : { en: read(value.en, 'en'), es: read(value.es, 'es') }
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, read(inner, of)]))
  }
  const texts = read(content as Json, language ?? 'en')
  return { texts, isComplete }
}
