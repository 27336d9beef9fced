/** Guesses which column of a file belongs to which column of an importer. */
import { readDay } from '../shared/dates.ts'
import { readAmount } from '../shared/money.ts'
import type { ColumnMapping } from '../shared/imports.ts'
import { areLastNamesFirst } from '../shared/person-names.ts'
import { type Column, columnKey, type Content, type ImportColumns, lastFirstOf, unmappedIn } from './columns.ts'

/** Basis of a guess. Empty if the import ignores the column. */
type Basis = 'exact' | 'similar' | 'content' | ''

export interface Guess {
  mapping: ColumnMapping
  bases: Basis[]
  /** Indexes of columns with values that contradict their name. */
  contradictions: ReadonlySet<number>
  /** Our names of the columns that the guess leaves out because of another column, by their index. */
  leftOut: ReadonlyMap<number, string>
}

/** Minimum Dice score of two names. */
const MIN_SCORE = 0.75
/** Score of an alias, which is above any similar name. */
const ALIAS_SCORE = 0.98
/** Score of a guess by content, which is below any guess by name. */
const CONTENT_SCORE = 0.6
/** Deduction for a name that the values contradict. It puts such a guess below a guess by content. */
const CONTRADICTION = 0.5

/** Words that billing systems shorten, each with its short forms. */
const SHORT_FORMS = `
  account: acct acc
  address: addr adr add
  amount: amt
  balance: bal
  charge: chg charges
  city: cty
  current: cur curr
  customer: cust
  date: dt dte
  description: desc descr
  end: finish
  from: frm
  hydrant: hyd
  inspection: insp
  invoice: inv
  license: lic
  location: loc
  manufacturer: mfg mfr
  meter: mtr
  name: nam nm
  number: id nbr no num
  owner: own
  paid: pd
  payment: pmt pmts payments
  period: per prd
  phone: ph tel telephone
  previous: prev prior last
  property: prop
  quantity: qty
  reading: rdg
  received: rcvd recd
  reference: ref
  route: rte
  service: serv srv svc
  start: beg begin bgn
  ticket: tkt
  total: tot
  unit: uom
  violation: viol
  zip: zipcode`
const ABBREVIATIONS: Readonly<Record<string, string>> = Object.fromEntries(
  SHORT_FORMS.trim()
    .split('\n')
    .flatMap((line) => {
      const [full = '', forms = ''] = line.trim().split(': ')
      return forms.split(' ').map((form) => [form, full])
    }),
)
/** Words that change no meaning. */
const IGNORED = new Set(['the', 'of', 'for', 'in', 'code'])

/** Splits a name into tokens: AcctNo, ACCT_NO and ACCTNO become account and number. */
function tokensOf(name: string, vocabulary: ReadonlySet<string>): string[] {
  const spaced = name
    .replaceAll('#', ' number ')
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{L})(\d)/gu, '$1 $2')
  const tokens = columnKey(spaced)
    .split('_')
    .flatMap((word) => (vocabulary.has(word) ? [word] : (piecesOf(word, vocabulary) ?? [word])))
    .map((word) => ABBREVIATIONS[word] ?? word)
  const meaningful = tokens.filter((word) => !IGNORED.has(word))
  return meaningful.length > 0 ? meaningful : tokens
}

const MIN_PIECE = 2

/** Splits a word that consists of known tokens only. Tries the longest word first. */
function piecesOf(word: string, vocabulary: ReadonlySet<string>): string[] | null {
  if (word === '') return []
  for (let length = word.length; length >= MIN_PIECE; length -= 1) {
    const piece = word.slice(0, length)
    if (!vocabulary.has(piece)) continue
    const rest = piecesOf(word.slice(length), vocabulary)
    if (rest) return [piece, ...rest]
  }
  return null
}

/** Number of the first of several columns. */
const FIRST = '1'
const isNumber = (token: string): boolean => /^\d+$/.test(token)

/**
 * Dice score of two lists of words: twice the number of common tokens, divided by the number of all tokens. A number in
 * our name must be in the other name too, but does not count: SVC_ZIP5 is not the fifth service. PHONE_1 is the phone.
 */
function scoreOf(tokens: readonly string[], ours: readonly string[]): number {
  const numbers = ours.filter(isNumber)
  if (numbers.some((token) => !tokens.includes(token))) return 0
  const rest = (list: readonly string[]) => new Set(list.filter((token) => token !== FIRST && !numbers.includes(token)))
  const [one, other] = [rest(tokens), rest(ours)]
  const common = [...one].filter((word) => other.has(word)).length
  return (2 * common) / (one.size + other.size)
}

const MIN_FIT = 0.8
const MAX_MISFIT = 0.5

const isAmount = (value: string): boolean => readAmount(value).cents !== undefined
const isDegrees = (value: string, max: number): boolean =>
  /^-?\d{1,3}\.\d{3,}$/.test(value) && Math.abs(Number(value)) <= max

/** True for values that look like the content of a column. */
const valueTests: Record<Exclude<Content, 'text' | 'code'>, (value: string) => boolean> = {
  date: (value) => readDay(value.split(/[ T]/)[0] ?? '', /^(?:19|20|21)/) !== null,
  money: isAmount,
  number: (value) => /^-?[\d,]*\.?\d+(?:\s*(?:"|in\.?|inch(?:es)?))?$/i.test(value),
  zip: (value) => /^\d{5}(?:-?\d{4})?$/.test(value),
  state: (value) => /^[a-z]{2}$/i.test(value),
  phone: (value) => /^(?:\+?1[ .-]?)?\(?\d{3}\)?[ .-]?\d{3}[ .-]?\d{4}$/.test(value),
  email: (value) => /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(value),
  latitude: (value) => isDegrees(value, 85),
  longitude: (value) => isDegrees(value, 180),
}

/** Kinds of content that the values show without a name. Money needs a dollar sign or cents. */
const evidence: Partial<Record<Content, (values: readonly string[]) => boolean>> = {
  date: (values) => share(values, valueTests.date) >= MIN_FIT,
  money: (values) =>
    share(values, isAmount) >= MIN_FIT && share(values, (value) => /[$]|\.\d\d\D*$/.test(value)) >= MAX_MISFIT,
  zip: (values) => share(values, valueTests.zip) >= MIN_FIT,
  phone: (values) =>
    share(values, valueTests.phone) >= MIN_FIT && share(values, (value) => /\D/.test(value)) >= MAX_MISFIT,
  email: (values) => share(values, valueTests.email) >= MIN_FIT,
  latitude: (values) => share(values, valueTests.latitude) >= MIN_FIT && !evidence.longitude?.(values),
  longitude: (values) =>
    share(values, valueTests.longitude) >= MIN_FIT && share(values, (value) => value.startsWith('-')) >= MIN_FIT,
  code: (values) =>
    new Set(values).size === values.length &&
    share(values, (value) => /^(?=.*\d)[\w/#-]{1,40}$/.test(value)) >= MIN_FIT &&
    share(values, valueTests.date) < MAX_MISFIT,
}

const share = (values: readonly string[], test: (value: string) => boolean): number =>
  values.length === 0 ? 0 : values.filter(test).length / values.length

/** Kinds of content that no text and no number of a record has. */
const FOREIGN = ['date', 'email', 'phone'] as const

/** True if the values cannot be the content of a column. */
export function contradicts(content: Content, values: readonly string[]): boolean {
  if (values.length === 0) return false
  if (content === 'text' || content === 'code') {
    const isForeign = FOREIGN.some((kind) => evidence[kind]?.(values))
    const isMoney = share(values, (value) => isAmount(value) && /[$]|\.\d\d\D*$/.test(value)) >= MIN_FIT
    return isForeign || isMoney
  }
  return share(values, valueTests[content]) < MAX_MISFIT
}

interface Candidate {
  at: number
  name: string
  score: number
  basis: Basis
}

/** Guesses the columns of a file by their exact name, else by a similar name, else by their content. */
export function guessColumns(
  columns: ImportColumns,
  headers: readonly string[],
  valuesOf: (index: number) => readonly string[],
): Guess {
  const values = headers.map((_, at) => valuesOf(at))
  const contentOf = (name: string) => columns.columns[name]?.content ?? 'text'
  const misfits = (at: number, name: string) => contradicts(contentOf(name), values[at] ?? [])
  const named = byName(columns, headers).map((one) =>
    misfits(one.at, one.name) ? { ...one, score: one.score - CONTRADICTION } : one,
  )
  const candidates = [
    ...named,
    ...byContent(
      columns,
      values,
      named.filter(({ score }) => score > CONTRADICTION),
    ),
  ]
  const mapped = headers.map(() => '')
  const bases = headers.map((): Basis => '')
  for (const { at, name, basis } of candidates.toSorted((a, b) => b.score - a.score || a.at - b.at)) {
    if (mapped[at] !== '' || mapped.includes(name)) continue
    mapped[at] = name
    bases[at] = basis
  }
  for (const [at, name] of mapped.entries()) {
    const lastFirst = lastFirstOf(columns, name)
    if (lastFirst && areLastNamesFirst(values[at] ?? [])) [mapped[at], bases[at]] = [lastFirst, 'content']
  }
  const leftOut = mappedBeside(columns, headers, mapped, ({ unless }) => unless?.names)
  for (const at of leftOut.keys()) [mapped[at], bases[at]] = ['', '']
  const contradictions = new Set([...mapped.entries()].flatMap(([at, name]) => (name && misfits(at, name) ? [at] : [])))
  return { mapping: { columns: mapped, values: {} }, bases, contradictions, leftOut }
}

/** Finds the mapped columns next to another column of the file, by their index. `namesOf` names the other column. */
function mappedBeside(
  { columns, names }: ImportColumns,
  headers: readonly string[],
  mapped: readonly string[],
  namesOf: (column: Column, header: string) => string | undefined,
): Map<number, string> {
  const vocabulary = vocabularyOf(names)
  return new Map(
    [...mapped.entries()].filter(([index, name]) => {
      const column = columns[name]
      const listed = column && namesOf(column, headers[index] ?? '')
      const others = listed?.split(' ').map((other) => tokensOf(other, vocabulary)) ?? []
      return headers.some(
        (header, at) =>
          mapped[at] !== name && others.some((other) => scoreOf(tokensOf(header, vocabulary), other) >= MIN_SCORE),
      )
    }),
  )
}

/** Finds the mapped columns that staff must check because of another column of the file (`check`), by their index. */
export const columnsToCheck = (
  columns: ImportColumns,
  headers: readonly string[],
  mapped: readonly string[],
): ReadonlyMap<number, string> =>
  mappedBeside(columns, headers, mapped, ({ check }, header) => (check?.header.test(header) ? check.names : undefined))

const vocabularyOf = (names: ImportColumns['names']): ReadonlySet<string> =>
  new Set([...Object.keys(ABBREVIATIONS), ...[...names.keys()].flatMap((key) => key.split('_'))])

function byName({ columns, names }: ImportColumns, headers: readonly string[]): Candidate[] {
  const vocabulary = vocabularyOf(names)
  const others = [...names]
    .filter(([, name]) => !columns[name]?.lastFirst)
    .map(([key, name]) => ({ name, tokens: tokensOf(key, vocabulary) }))
  return [...headers.entries()].flatMap(([at, header]): Candidate[] => {
    const exact = names.get(columnKey(header))
    const tokens = tokensOf(header, vocabulary)
    const similar = others.flatMap(({ name, tokens: other }): Candidate[] => {
      const score = scoreOf(tokens, other)
      return score >= MIN_SCORE ? [{ at, name, score: score * 0.95, basis: 'similar' }] : []
    })
    if (exact === undefined) return similar
    // Our own name or title wins over an alias in another column of the file.
    const { title } = columns[exact] ?? { title: '' }
    const isOwn = [exact, title].some((own) => columnKey(own) === columnKey(header))
    return [{ at, name: exact, score: isOwn ? 1 : ALIAS_SCORE, basis: 'exact' }, ...similar]
  })
}

/** Guesses required columns without a name, if exactly one nameless column of the file has their content. */
function byContent(
  columns: ImportColumns,
  values: readonly (readonly string[])[],
  named: readonly Candidate[],
): Candidate[] {
  const taken = new Set(named.map(({ at }) => at))
  const free = [...values.keys()].filter((at) => !taken.has(at))
  const mapping: ColumnMapping = { columns: named.map(({ name }) => name), values: {} }
  const open = unmappedIn(columns, mapping).flatMap((need) => need.split('|'))
  return Object.entries(evidence).flatMap(([content, isEvident]): Candidate[] => {
    const fits = free.filter((at) => isEvident(values[at] ?? []))
    const needed = open.filter((name) => (columns.columns[name]?.content ?? 'text') === content)
    const [at, name] = [fits[0], needed[0]]
    const isClear = fits.length === 1 && needed.length === 1 && at !== undefined && name !== undefined
    return isClear ? [{ at, name, score: CONTENT_SCORE, basis: 'content' }] : []
  })
}
