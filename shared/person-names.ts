/** Names of people and businesses, as they type them and as billing systems export them: “Miller, Roy”. */

const LEGAL_FORM = /^(?:llc|llp|lp|pllc|pc|inc|incorporated|corp|corporation|co|company|ltd|trust|dba)$/i
/** Words that occur only in names of businesses and institutions. */
const TRADE =
  /^(?:academy|apartments|associates|auto|bakery|bank|barbers|bicycle|bookstore|books|brewing|bros|brothers|cafe|café|center|centre|chapel|clinic|club|coffee|construction|contracting|daughters|daycare|deli|dental|dentistry|department|diner|electric|enterprises|estates|farms|fitness|florist|garage|grill|grocery|group|gym|hardware|hardwood|heating|holdings|hospital|hotel|housing|inn|institute|insurance|investments|kitchen|laundry|lawn|library|management|market|medical|ministries|motel|motors|nursery|office|offices|parish|partners|pharmacy|pizza|plumbing|practice|printing|properties|realty|rentals|repair|restaurant|roofing|salon|school|services|shop|shops|solutions|sons|spa|storage|store|studio|supply|systems|tavern|theater|theatre|towing|university|upholstery|veterinary|wash|works)$/i
/** Words after the last name: “Jr.”, and the words of tax rolls for more owners. */
const ENDING = /[\s,]+(?:jr|sr|i{2,3}|iv|v|et\.? ?(?:al|ux|vir)|trustees?)\.?$/i
/** Words and characters between two people. */
const BETWEEN = /\s*[;/]\s*|\s+(?:&|and|or)\s+/i

const tokensOf = (text: string): string[] => text.trim().split(/\s+/)
const bare = (word: string): string => word.replaceAll(/[.,]/g, '')

function isBusiness(name: string): boolean {
  const tokens = tokensOf(name).map(bare)
  if (tokens.some((word) => LEGAL_FORM.test(word)) || /^the\s|\d/i.test(name)) return true
  // “Parish, Mary” is a person.
  const person = /^[^\s,]+,/.test(name.trim()) ? tokens.slice(1) : tokens
  return person.some((word) => TRADE.test(word))
}

interface Person {
  firstName: string
  /** Empty if the next person has the same last name: “Roy” in “Roy & Ann Miller”. */
  last: string
  /** Text before the person, such as “ & ”. */
  joint: string
}

/** Splits off words such as “Jr.” after a name. */
function withoutEnding(name: string): { name: string; ending: string } {
  let rest = name.trim()
  while (ENDING.test(rest)) rest = rest.replace(ENDING, '')
  return {
    name: rest,
    ending: name
      .trim()
      .slice(rest.length)
      .replaceAll(/[\s,]+/g, ' '),
  }
}

/** Returns the people of “Miller, Roy” and “Miller, Roy & Ann”. Null for businesses and if no last name comes first. */
function lastNameFirst(text: string): { people: Person[]; ending: string } | null {
  const { name, ending } = withoutEnding(text)
  if (!/[^\s,].*,\s*[^\s,]/.test(name) || isBusiness(name)) return null
  const parts = name.split(BETWEEN)
  const joints = [...name.matchAll(new RegExp(BETWEEN, 'gi'))].map(([joint]) => ` ${joint.trim()} `)
  // Both names before the comma of “Miller & Lee, Roy” are last names.
  const people = parts[0]?.includes(',') ? parts : [name]
  let last = ''
  return {
    ending,
    people: people.map((part, at) => {
      const comma = part.indexOf(',')
      if (comma >= 0) last = part.slice(0, comma).trim()
      const firstName = part.slice(comma + 1).replaceAll(',', ' ')
      const isShared = people[at + 1]?.includes(',') === false
      return {
        firstName: tokensOf(firstName).join(' '),
        last: isShared ? '' : last,
        joint: at === 0 ? '' : (joints[at - 1] ?? ''),
      }
    }),
  }
}

const joined = ({ people, ending }: { people: readonly Person[]; ending: string }): string =>
  people.map(({ firstName, last, joint }) => `${joint}${firstName} ${last}`.trimEnd()).join('') + ending

const initials = (tokens: readonly string[]): string =>
  tokens.map((word) => (/^\p{L}/u.test(word) && !/^(?:and|or)$/i.test(word) ? `${[...word][0]}.` : word)).join(' ')

/**
 * Masks a customer name so that only the customer recognizes it. “Dorothy Abernathy” and “Abernathy, Dorothy” become
 * “D. Abernathy”, and “John & Mary Abernathy” becomes “J. & M. Abernathy”. Business names stay readable, because they
 * are public.
 */
export function maskedName(text: string): string {
  const turned = lastNameFirst(text)
  if (turned) {
    const people = turned.people.map((person) => ({ ...person, firstName: initials(tokensOf(person.firstName)) }))
    return joined({ ...turned, people })
  }
  const { name, ending } = withoutEnding(text)
  const tokens = tokensOf(name)
  if (tokens.length < 2 || isBusiness(name)) return tokensOf(text).join(' ')
  return `${initials(tokens.slice(0, -1))} ${tokens.at(-1) ?? ''}${ending}`
}

/** Splits “Miller, Roy” into the first and last name. Null if the last name does not come first. */
export function splitLastFirst(text: string): { first: string; last: string } | null {
  const turned = lastNameFirst(text)
  const end = turned?.people.at(-1)
  if (!turned || !end) return null
  const people = [...turned.people.slice(0, -1), { ...end, last: '' }]
  return { first: joined({ people, ending: '' }), last: end.last + turned.ending }
}

/** Parts of last names that have several words, such as “Van Dyke” and “St. Clair”. */
const PARTICLE =
  /^(?:da|de|del|della|den|der|di|dos|du|el|la|las|le|los|mac|mc|o|saint|san|santa|st|te|ten|ter|van|von)\.?$/i

/** Returns the number of tokens of a last name at the start of a name. */
function lastNameLength(tokens: readonly string[]): number {
  const at = tokens.findIndex((word) => !PARTICLE.test(word))
  return at < 0 ? tokens.length : at + 1
}

/**
 * Writes a name with the last name first as other systems do: “MILLER HAL” becomes “MILLER, HAL”. Names with a comma and
 * names of businesses stay as they are.
 */
export function withComma(text: string): string {
  const tokens = tokensOf(text)
  const length = lastNameLength(tokens)
  if (text.includes(',') || tokens.length <= length || isBusiness(text)) return text
  return `${tokens.slice(0, length).join(' ')}, ${tokens.slice(length).join(' ')}`
}

/**
 * Frequent first names of people of all ages in the United States. Frequent last names such as Thomas are not in this
 * list. Source: baby names of the Social Security Administration.
 */
const FIRST_NAMES = new Set(
  `aaron abigail alexander alice amanda amber amy andrea andrew angela ann anna anthony ashley barbara benjamin betty
  beverly bob brandon brenda brian bruce carol caroline carolyn catherine charles cheryl christina christine christopher
  cynthia daniel david deborah debra denise dennis diana diane donald donna doris dorothy douglas edward elizabeth emily
  emma eric ethan eugene evelyn frances frank gary george gerald gloria gregory hal hannah harold heather helen irene
  isabella jack jacob jacqueline janet janice jason jean jeffrey jennifer jeremy jerry jesse jessica joan joe john johnny
  jonathan jose joseph joshua joyce juan judith judy julia julie justin karen katherine kathleen kathryn keith kenneth
  kevin kimberly larry laura lauren linda lisa logan lori louis margaret maria marie marilyn mark martha mary matthew
  megan melissa michael michelle nancy natalie nathan nicholas nicole noah olivia pamela patricia patrick paul peter
  philip phyllis rachel ralph randy raymond rebecca richard robert roger ronald rosa rose roy ruby ruth ryan samantha
  samuel sandra sara sarah sean sharon shirley sophia stephanie stephen steven sue susan teresa theresa timothy tony
  tyler victoria vincent virginia walter wayne william willie zachary`.split(/\s+/),
)

const MIN_NAMES = 3
const MIN_SHARE = 0.25

/** True if the names of a file seem to have the last name first without a comma. */
export function areLastNamesFirst(names: readonly string[]): boolean {
  const people = names.filter((name) => !name.includes(',') && !isBusiness(name)).map(tokensOf)
  const isFirstName = (word = ''): boolean => FIRST_NAMES.has(bare(word).toLowerCase())
  const lastFirst = people.filter((tokens) => !isFirstName(tokens[0]) && isFirstName(tokens[lastNameLength(tokens)]))
  const firstFirst = people.filter((tokens) => isFirstName(tokens[0]))
  return (
    lastFirst.length >= MIN_NAMES &&
    lastFirst.length >= people.length * MIN_SHARE &&
    lastFirst.length > firstFirst.length * MIN_NAMES
  )
}

const normalizeText = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} ]/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

/**
 * Returns true if the typed text is the customer's last name or full name. Suffixes such as “LLC” are optional, and the
 * last name may come first.
 */
export function endsName(name: string, typed: string): boolean {
  const wanted = normalizeText(typed)
  if (wanted === '') return false
  const turned = lastNameFirst(name)
  if (!turned) return endsTokens(name, wanted)
  const { people, ending } = turned
  const last = people.flatMap((person) => (person.last === '' ? [] : [joined({ people: [person], ending })]))
  return normalizeText(name) === wanted || [joined(turned), ...last].some((one) => endsTokens(one, wanted))
}

function endsTokens(name: string, wanted: string): boolean {
  const tokens = tokensOf(name)
  const short = tokensOf(withoutEnding(name).name).filter((word) => !LEGAL_FORM.test(bare(word)))
  return [tokens, short].some((parts) => parts.some((_, at) => normalizeText(parts.slice(at).join(' ')) === wanted))
}
