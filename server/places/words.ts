/** Street suffixes and directions with their other spellings (from Publication 28 of the US Postal Service). */
const besideNames: Record<string, string> = {
  aly: 'alley al ally',
  ave: 'avenue av aven avenu',
  blvd: 'boulevard boul boulv',
  cir: 'circle circ crcl',
  cres: 'crescent crsnt',
  ct: 'court crt',
  dr: 'drive drv driv',
  expy: 'expressway expwy',
  hwy: 'highway highwy hiway',
  ln: 'lane lanes',
  lp: 'loop',
  pike: 'turnpike tpke tpk',
  pkwy: 'parkway pkway pky',
  pl: 'place plc',
  plz: 'plaza',
  rd: 'road',
  rte: 'route rt',
  run: '',
  sq: 'square sqr',
  st: 'street str strt saint',
  ter: 'terrace terr',
  trl: 'trail tr',
  way: 'wy',
  n: 'north',
  s: 'south',
  e: 'east',
  w: 'west',
  ne: 'northeast',
  nw: 'northwest',
  se: 'southeast',
  sw: 'southwest',
}
/** Words that are part of a street name, with their other spellings. */
const inNames: Record<string, string> = {
  brg: 'bridge br',
  crk: 'creek',
  ext: 'extension',
  ft: 'fort frt',
  hts: 'heights',
  mt: 'mount mnt',
  park: 'prk',
  rdg: 'ridge',
  '1st': 'first',
  '2nd': 'second',
  '3rd': 'third',
  '4th': 'fourth',
  '5th': 'fifth',
  '6th': 'sixth',
  '7th': 'seventh',
  '8th': 'eighth',
  '9th': 'ninth',
  '10th': 'tenth',
  unit: 'apt apartment suite ste room rm flat',
}
const spelledAs = new Map(
  [...Object.entries(besideNames), ...Object.entries(inNames)].flatMap(([word, others]) =>
    others.split(' ').map((other) => [other, word] as const),
  ),
)
const BESIDE_NAMES = new Set(Object.keys(besideNames))

/**
 * True for a word that accompanies a street's name, such as a suffix or direction. People may omit or confuse such
 * words.
 */
export const isBesideName = (word: string): boolean => BESIDE_NAMES.has(word)

/**
 * Replacements for letters that Unicode normalization can't split into a base letter and an accent. The database
 * function `folded` uses the same replacements.
 */
const plainChars: Record<string, string> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ł: 'l', ø: 'o', đ: 'd', ð: 'd', ħ: 'h', ŧ: 't', ı: 'i', ɨ: 'i' },
}

/**
 * Splits a text into lowercase words without accents or punctuation. Converts different abbreviations of a word to a
 * single form.
 */
export const addressTerms = (text: string): string[] =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[ßæœłøđðħŧıɨ]/g, (char) => plainChars[char] ?? char)
    .replaceAll(/['’.`´ʹ-ʿˈ‘‛′ꞌ＇]/g, '')
    // Splits '214Sycamore' into two words. '1st' and '12b' stay single words.
    .replaceAll(/(\d)([a-z]{3,})/g, '$1 $2')
    .replaceAll(/#/g, ' unit ')
    .split(/[^a-z0-9/]+/)
    .filter(Boolean)
    .map((word) => spelledAs.get(word) ?? word)

export const streetKey = (name: string): string => addressTerms(name).join(' ')

/** Parts of an address that were found in a text. */
export interface ParsedAddress {
  /** House number without its letter or fraction. Null if missing. */
  number: number | null
  /** House number with its letter or fraction, in uppercase. */
  houseNumber: string
  unit: string
  zip: string
  /** Remaining words: the street, and perhaps the city. */
  terms: string[]
}

/** Finds a house number, unit and ZIP code anywhere in a text. */
export function readAddress(text: string): ParsedAddress {
  const terms = addressTerms(text)
  const unitAt = terms.indexOf('unit')
  const unit = unitAt >= 0 ? (terms.splice(unitAt, 2)[1] ?? '') : ''
  const isNumber = (word: string) => /^\d{1,6}[a-z]?$/.test(word)
  const zipAt = terms.findLastIndex((word, at) => /^\d{5}$/.test(word) && (at > 0 || terms.slice(1).some(isNumber)))
  const [zip = ''] = zipAt >= 0 ? terms.splice(zipAt, 1) : []
  // Four digits after a ZIP code complete a ZIP+4 and are dropped.
  if (zip && /^\d{4}$/.test(terms[zipAt] ?? '')) terms.splice(zipAt, 1)
  const numberAt = terms.findIndex(isNumber)
  const [number = ''] = numberAt >= 0 ? terms.splice(numberAt, 1) : []
  const fraction = number && /^\d\/\d$/.test(terms[numberAt] ?? '') ? ` ${terms.splice(numberAt, 1)[0]}` : ''
  return {
    number: number === '' ? null : Number.parseInt(number, 10),
    houseNumber: (number + fraction).toUpperCase(),
    unit: unit.toUpperCase(),
    zip,
    terms,
  }
}

/**
 * Returns the similarity of two words, from 0 to 1. Equal words score highest, then a partly typed word, then a word
 * with a few letters wrong, missing or swapped.
 */
export function closeness(typed: string, target: string): number {
  if (typed === target) return 1
  if (/\d/.test(typed) || /\d/.test(target)) return 0
  const prefixScore = typed.length > 1 && target.startsWith(typed) ? 0.7 + 0.25 * (typed.length / target.length) : 0
  const longer = Math.max(typed.length, target.length)
  const allowed = longer > 7 ? 3 : longer > 4 ? 2 : longer > 2 ? 1 : 0
  if (allowed === 0 || Math.abs(typed.length - target.length) > allowed) return prefixScore
  const errors = editDistance(typed, target)
  return Math.max(prefixScore, errors > allowed ? 0 : 1 - (0.9 * errors) / longer)
}

/**
 * Returns the edit distance between two words: the number of letters added, removed, replaced or swapped with their
 * neighbor (Damerau–Levenshtein distance).
 */
function editDistance(one: string, other: string): number {
  let before: number[] = []
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const differ = one[i - 1] === other[j - 1] ? 0 : 1
      next[j] = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + differ)
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        next[j] = Math.min(next[j] ?? 0, (before[j - 2] ?? 0) + 1)
    }
    ;[before, row] = [row, next]
  }
  return row[other.length] ?? 0
}

/**
 * Returns how well the words match a street, from 0 to 1. The street's own name counts more than words such as 'Street'
 * or 'North'.
 */
export function streetCloseness(
  typed: readonly string[],
  street: readonly string[],
): { score: number; unused: string[] } {
  const left = [...typed]
  let [got, all] = [0, 0]
  // Matches the street's own name first. Otherwise the suffix in 'St Marys St' could match the 'St' of the name.
  for (const target of street.toSorted((a, b) => Number(isBesideName(a)) - Number(isBesideName(b)))) {
    const weight = isBesideName(target) && street.length > 1 ? 0.25 : 1
    all += weight
    const best = left.reduce(
      (closest, word, at) => {
        const close = closeness(word, target)
        return close > closest.close ? { close, at } : closest
      },
      { close: 0, at: -1 },
    )
    if (best.close > 0.5) {
      got += weight * best.close
      left.splice(best.at, 1)
    }
  }
  // 'Mill Race' and 'Millrace' are the same name, so the words are also compared without spaces.
  const together = closeness(typed.join(''), street.join(''))
  const named = closeness(
    typed.filter((word) => !isBesideName(word)).join(''),
    street.filter((word) => !isBesideName(word)).join(''),
  )
  const score = all > 0 ? got / all : 0
  return Math.max(together, named * 0.97) > score
    ? { score: Math.max(together, named * 0.97), unused: [] }
    : { score, unused: left }
}
