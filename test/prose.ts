import { parseSync, Visitor } from 'oxc-parser'

/**
 * Finds wording that `docs/glossary.md` and the writing rules no longer allow. This includes unclear phrases in
 * comments, test titles, messages and docs, and retired words in names and messages. `test/commands/prose.ts` compares
 * the counts with `test/prose-limits.json`.
 */

/** Type of text. Names are identifiers. Messages are entries of the message catalog. */
export type Corpus = 'comments' | 'titles' | 'names' | 'messages' | 'docs'

export interface Finding {
  corpus: Corpus
  /** Id of the pattern, or the retired word of a name. */
  pattern: string
  line: number
  text: string
}

interface Pattern {
  matches: RegExp
  /** Recommended wording. */
  instead: string
}

const PARTICIPLE = '(?:[a-z]+ed|paid|sent|given|made|taken|kept|told|shown|written|chosen|done|put|read|found|held|set)'

/** Unclear phrases to avoid. Each has a name for `npm run prose -- --list NAME`. */
const PHRASES: Readonly<Record<string, Pattern>> = {
  whoever: { matches: /\bwho(?:m)?ever\b/i, instead: 'the actor: the payer, staff, the caller' },
  'headless clause': {
    matches:
      /(?:^|[a-z,:;] )what (?:is|are|was|were|has|have|can be|comes?|goes|stands?|waits?|somebody|nobody|people|they|it|one|a|the)\b(?![^.]*\?)/i,
    instead: 'a noun: the balance, open items',
  },
  'question word first': {
    matches: /^(?:and )?(?:who|whom|whose|which|how|where|when|why|what) (?!to\b)[^?]*$/i,
    instead: 'a noun: Owner, Tester',
  },
  'of first': { matches: /^of (?!course)/i, instead: 'the subject first' },
  'of which': { matches: /\bof (?:which|whom)\b/i, instead: 'two sentences' },
  whose: { matches: /\bwhose\b/i, instead: 'with, or that has' },
  'old adverb': {
    matches: /\bby now\b|\banew\b|\bonce more\b|\bbesides?\b|\bmeanwhile\b|\blikewise\b|\bfor good\b|\bever since\b/i,
    instead: 'now, again, also, since then, permanently',
  },
  'there is': { matches: /(?<!\b(?:if|when) )\bthere (?:is|are|was|were)\b/i, instead: 'the subject first' },
  told: {
    matches:
      /\b(?:is|are|was|were|be|been|being|gets?|has|have|not) told\b|\btells? (?:which|what|whether|how|that|apart)\b/i,
    instead: 'is notified, shows, distinguishes',
  },
  said: {
    matches:
      /\b(?:is|are|was|were|be|been|being|as) said\b|\b(?:says?|said) (?:so|of|what|who|whose|how|which|whether|it|nothing|where|when|why)\b/i,
    instead: 'states, shows, specifies',
  },
  stands: {
    matches:
      /\b(?:stands?|stood|standing|lies|lie|lay|lying) (?:in|on|at|there|for|beside|under|above|below|by|as|with|alone|still|first|last|where|before|after|within|outside|behind)\b/i,
    instead: 'is, is stored in, is shown in',
  },
  alone: { matches: /\balone\b/i, instead: 'only' },
  'is no': {
    matches:
      /\b(?:is|are|was|were|be) no (?!longer\b|more\b|later\b|earlier\b|less\b|fewer\b|match\b|results?\b|need\b)/i,
    instead: 'is not a',
  },
  'no more': { matches: /\bno more(?=[.,;:)]|$)|\bnot? [a-z ]{0,30}any ?more\b/i, instead: 'no longer' },
  nobody: { matches: /\b(?:nobody|somebody|anybody)\b/i, instead: 'the role, else no one' },
  "another's": { matches: /\b(?:another|other|everybody)[’']s\b|\bothers[’'](?!s)/i, instead: 'the owner' },
  thing: { matches: /\bthings?\b/i, instead: 'record, entity, item' },
  'goes on': { matches: /\b(?:go|goes|went|going|gone) on\b/i, instead: 'continues' },
  'gives back': {
    matches: /\b(?:gives?|gave|given|giving|goes|go|went|gone|takes?|took|taken|taking) (?:[a-z]+ )?back\b/i,
    instead: 'refunds, withdraws, returns',
  },
  'at once': { matches: /\bat once\b/i, instead: 'immediately, or at the same time' },
  'by itself': { matches: /\bby (?:itself|themselves)\b/i, instead: 'automatically' },
  begun: { matches: /\bbeg[aiu]ns?\b(?! with\b)/i, instead: 'starts, started' },
  wish: { matches: /\bwish(?:es|ed)?\b/i, instead: 'choice, request' },
  'is kept': { matches: /\b(?:is|are|was|were|be|been|being|not) kept\b/i, instead: 'is stored, is saved' },
  'of its own': { matches: /\bof (?:its|their|his|her|your|our|one[’']s) own\b/i, instead: 'its own, separate' },
  'all that': { matches: /\b(?:all|everything|nothing|something|anything) that\b/i, instead: 'all with a noun' },
  'where it': {
    matches:
      /\bwhere (?:it|there|they|one|nobody|somebody|that|this|he|she) (?:is|are|was|were|has|have|can|does|did)\b/i,
    instead: 'if, when',
  },
  'passive stub': {
    matches:
      /\b(?:is|are|was|were|be|been) (?:looked|asked|gone|thought|waited|dealt|handed|put|left|let|made|come|called|taken) (?:at|for|of|with|over|out|in|through|after|away|upon|aside|as|off|on|up)\b/i,
    instead: 'the active voice',
  },
  'the same': {
    matches: /^(?:and )?the same\b|\bthe same (?:of|for|as it|once|again|holds)\b/i,
    instead: 'the noun again',
  },
  'to be done': {
    matches: new RegExp(`\\b(?:has|have|had|is|are|was|were) to be ${PARTICIPLE}\\b|^to be ${PARTICIPLE}\\b`, 'i'),
    instead: 'must, or a noun',
  },
  semicolon: { matches: /;(?![^()]*\))/, instead: 'two sentences' },
}

/** Phrases to avoid only in labels and buttons of screens. */
const LABELS: Readonly<Record<string, Pattern>> = {
  'button without object': { matches: /^[A-Z][a-z]+(?: [a-z]+)? (?:it|them|this)$/, instead: 'the object: Close form' },
  'label without noun': {
    matches: /^(?:Of|Otherwise|Since|To be|Has|Is|Are|Was|Were|Gets|Comes|Takes|Goes|Becomes|As (?!of\b))\b[^.?!]*$/,
    instead: 'a noun or a state: Overdue only',
  },
}

/** Retired terms in messages. The glossary lists the terms to use on screens. */
const TERMS: Readonly<Record<string, Pattern>> = {
  'town or mail': {
    matches: /\b(?:towns?|mails?|mailed)\b|\bletters? (?:from|that|by)\b/i,
    instead: 'municipality, we, email',
  },
  'kept, told, given out': { matches: /\b(?:kept|told|giv(?:e|es|en|ing) out)\b/i, instead: 'saved, notified, issued' },
  'take over, rehearse': {
    matches: /\btak(?:e|es|en|ing) (?:it |them |\S+ )?over\b|\brehears/i,
    instead: 'import, transfer, preview',
  },
  'draw, wish, waiting list': {
    matches: /\b(?:draws?|drawn|wish(?:es)?|waiting lists?)\b/i,
    instead: 'lottery, choice, waitlist',
  },
  'under way': { matches: /\bunder way\b|\bon (?:its|their) way\b/i, instead: 'pending, processing' },
  'picture, paper': { matches: /\b(?:pictures?|papers?)\b/i, instead: 'photo, image, document' },
  'second factor, second person': {
    matches: /\bsecond (?:factors?|person)\b/i,
    instead: 'two-factor authentication, approver, second signer',
  },
  'broken, mended, struck': {
    matches: /\bmend(?:ed|s)?\b|\bbroken\b|\bstruck\b/i,
    instead: 'fixed, defaulted, voided',
  },
  'bank payment': { matches: /\bbank payments?\b/i, instead: 'lockbox payment' },
  'colleague, clerk': { matches: /\b(?:colleagues?|clerks?)\b/i, instead: 'staff' },
}

/** Retired words in names, each with its replacement. The glossary has the full table. */
const RETIRED: Readonly<Record<string, string>> = {
  house: 'context',
  town: 'company',
  doer: 'actor',
  deed: 'auditEntry',
  towns: 'companies',
  rehearse: 'preview',
  rehearsal: 'preview',
  rehearsed: 'previewed',
  clerk: 'staff, cashier',
  helper: 'staff',
  colleague: 'staff',
  matter: 'openItem, ongoingItem',
  matters: 'openItems, ongoingItems',
  owing: 'openItem',
  way: 'method, direction, movementType',
  ways: 'methods, paths',
  given: 'allocated, issued, input',
  mend: 'repair, reinstate',
  mended: 'fixed, reinstated',
  picture: 'photo, image',
  pictures: 'photos, images',
  strike: 'void',
  struck: 'voided',
  judge: 'validate, check',
  judged: 'validated, checked',
  draw: 'lottery, render',
  drawn: 'rendered, fromLottery',
  door: 'accountRealm',
  tell: 'notify',
  tells: 'notifies',
  mail: 'email',
  mails: 'emails',
  collision: 'fieldConflict',
  collisions: 'fieldConflicts',
  roster: 'directory',
  story: 'scenario',
  stories: 'scenarios',
  talk: 'messages, advanceCall',
  teach: 'addRule',
  says: 'text, message',
  conversation: 'messages, timeline',
  asked: 'query, input',
  known: 'existing, loaded',
  told: 'notified, notice',
  kept: 'stored, saved',
  said: 'message, text',
  wish: 'request, choice',
  means: 'source',
  thing: 'record, item',
  things: 'records, items',
  wishes: 'choices',
  whose: 'owner',
  mine: 'own',
  theirs: 'others',
  standing: 'status',
  facts: 'data, patch, fields',
  sentence: 'message',
  words: 'text, labels',
  letter: 'email',
  letters: 'emails',
  paper: 'document',
  papers: 'documents',
  desk: 'staff',
  verdict: 'feedback',
  anew: 'again',
  begun: 'started',
  apart: 'separate',
  most: 'max',
  least: 'min',
  longest: 'max',
  patience: 'timeout',
  colour: 'color',
  colours: 'colors',
  catalogue: 'catalog',
  enrol: 'enroll',
  enrolment: 'enrollment',
  licence: 'license',
  ask: 'request, load',
  asks: 'questions, dialog',
  wrong: 'invalid, errors',
  found: 'result, match',
  shown: 'visible, view',
  look: 'load, inspect',
  looks: 'views, variants',
  place: 'location, scope, position',
  booking: 'reservation',
  behind: 'past due, by link',
  news: 'update',
  whom: 'recipient',
  who: 'actor, requester',
  begin: 'start',
}

/** Returns the wording to use instead of a pattern or retired word. */
export const insteadOf = (corpus: Corpus, pattern: string): string =>
  (corpus === 'names' ? RETIRED[pattern] : (PHRASES[pattern] ?? LABELS[pattern] ?? TERMS[pattern])?.instead) ??
  'shorter sentences'

interface Exception {
  reason: string
  /** Files or folders in which the name may remain. Without this list, the name may remain everywhere. */
  in?: readonly string[]
}
const STORED = 'A stored value.'
const ADDRESS = 'A parameter of addresses.'
const stayFor = (reason: string, names: readonly string[]): Record<string, Exception> =>
  Object.fromEntries(names.map((name) => [name, { reason }]))

/** Names that may contain a retired word. */
const STAYS: Readonly<Record<string, Exception>> = {
  ...stayFor('A record or page that does not exist.', [
    'notFound',
    'NotFound',
    'NOT_FOUND',
    'NotFoundProps',
    'callNotFound',
    'setNotFoundHandler',
  ]),
  ...stayFor('The municipality’s list of places.', [
    'placeFiles',
    'placeCounts',
    'placeCountsCall',
    'placeKinds',
    'PlaceKind',
    'placeCalls',
    'placeBatches',
    'PlaceRow',
    'FindPlace',
  ]),
  ...stayFor('A wrong password, code or passkey, as people say it.', [
    'wrong_password',
    'wrong_code',
    'wrong_passkey',
    'WRONG_PASSWORD',
  ]),
  FOUND: {
    reason: 'Response of the virus scanner, and prefix of search views.',
    in: ['server/attachments/scanner.ts', 'test/clamd.ts', 'test/catalog.test.ts'],
  },
  WhoSendsBill: { reason: 'Part of an address that a test enters.' },
  who: { reason: 'Field of a form that a test defines.', in: ['server/acroform/acroform.test.ts'] },
  LOOK_BACK: { reason: 'Number of earlier bytes that the check reads.', in: ['server/attachments/validate-pdf.ts'] },
  looksLikeText: { reason: 'A guess about a string.', in: ['web/build/find-sentences.ts'] },
  MAX_OFFSET_BEHIND_HOURS: { reason: 'Time zones behind UTC.', in: ['features/calendar/server/'] },
  beginTransaction: { reason: 'Method of a library.', in: ['server/tenancy.ts'] },
  door: { reason: 'Door of a rented room, also as a column.' },
  doorCode: { reason: 'Code of a door.', in: ['features/rental-access/', 'features/rentals/web/'] },
  staffDoorCode: { reason: 'Code of a door.', in: ['features/rental-access/web/', 'features/rentals/web/'] },
  DoorCode: { reason: 'Code of a door.', in: ['features/rental-access/web/'] },
  StaffDoorCode: { reason: 'Code of a door.', in: ['features/rental-access/web/'] },
  drawn: {
    reason: 'A signature by hand, as stored.',
    in: ['features/forms/', 'server/db/', 'shared/fields/', 'web/fields/'],
  },
  DrawnAreas: { reason: 'Areas that staff draw on a map.', in: ['features/alerts/web/'] },
  drawText: { reason: 'Method of a library.', in: ['features/forms/demo-pdf.ts'] },
  drawImage: { reason: 'Method of the browser.', in: ['web/field/photo.ts'] },
  given_name: { reason: 'A claim of OpenID Connect.' },
  judged: { reason: 'Paraphrases that readers judged.', in: ['features/faqs/'] },
  Mail: { reason: 'Icon of a library, or a type of one.' },
  mail: {
    reason: 'Post, as a stored value, and a field of a form.',
    in: [
      'features/analytics/rules.ts',
      'features/general-payments/',
      'features/identity/demo.ts',
      'features/utility-accounts/demo.ts',
    ],
  },
  sendMail: { reason: 'Method of a library.', in: ['server/email-sender.ts'] },
  mailFrom: { reason: 'Part of an envelope of SMTP.', in: ['test/emails.ts'] },
  MAIL_FROM: { reason: 'A variable of the environment.' },
  way: { reason: 'An abbreviation of addresses.', in: ['server/places/words.ts'] },
  houseNumber: { reason: 'Number of a house in an address.' },
  house_number: { reason: 'Number of a house in an address, as a column.' },
  House: { reason: 'Icon of a library.' },
  house_rules: { reason: 'Rules of a rented house, as a column.', in: ['features/rentals/'] },
  needs_words: { reason: 'Text field of a form that a test defines.', in: ['test/edits.test.ts'] },
  known_address_only: { reason: 'A column.', in: ['features/registration/server/'] },
  known_email: { reason: STORED, in: ['features/sso/server/'] },
  KNOWN_ENTITIES: { reason: 'Entities that the decoder knows.', in: ['features/alerts/cap/decode.ts'] },
  flagWords: { reason: 'Setting of the spelling library.', in: ['test/commands/spelling.ts'] },
  allowCompoundWords: { reason: 'Setting of the spelling library.', in: ['test/commands/spelling.ts'] },
  asked: {
    reason: STORED,
    in: ['features/moving/', 'features/payments/web/parts/Outcome.tsx', 'features/faqs/web/desk/'],
  },
  mine: { reason: STORED, in: ['features/field/states.ts', 'features/field/server/decide.ts'] },
  theirs: { reason: STORED, in: ['features/field/states.ts', 'features/field/server/decide.ts'] },
  begun: { reason: 'Fate of a demo record.', in: ['features/work-orders/demo.ts'] },
  paper: {
    reason: 'Color of the page in stylesheets, a form on paper, and a column of a file.',
    in: [
      'shared/theme',
      'features/town-config/web/information/ThemeSection.tsx',
      'server/notices/layout.ts',
      'features/merchant/server/form-1099k.ts',
    ],
  },
  papers: { reason: 'Part of the design page.', in: ['web/design/'] },
  thing: { reason: ADDRESS, in: ['features/inspections/web/'] },
  town: {
    reason: 'A parameter of addresses, a placeholder of documents, and a role of tests.',
    in: [
      'features/reconciliation/web/CompaniesScreen.tsx',
      'features/companies/server/documents.ts',
      'features/onboarding/onboarding.test.ts',
    ],
  },
  means: { reason: STORED, in: ['features/refunds/server/refund-email.ts', 'features/autopay/server/methods.ts'] },
  kept: {
    reason: 'Alias of SQL.',
    in: ['features/rentals/demo.test.ts', 'features/payment-report/server/report-sums.ts'],
  },
  told: { reason: 'A column of the gateway.', in: ['gateway/onboarding.ts'] },
  words: {
    reason: 'Key of a published file, and a setting of the spelling library.',
    in: ['features/faqs/commands/make-vocabulary.ts', 'test/commands/spelling.ts'],
  },
}
const stays = (name: string, path: string): boolean =>
  Object.hasOwn(STAYS, name) && (STAYS[name]?.in?.some((place) => path.startsWith(place)) ?? true)

/** Comments for tools, not for people. */
const DIRECTIVE = /^\s*(?:oxlint|@ts-|@vitest|@type\b|#__PURE__|\/ <reference|region\b|endregion\b)/
const TEST_FILE = /\.(?:test|e2e|clock|outage|nightly)\.tsx?$/
const MAX_WORDS = { comments: 25, titles: 18, messages: 25, docs: 25 }

/**
 * Messages that may contain an unclear phrase: labels of the specification, a button, and words that people search for.
 */
const UNCHANGED_MESSAGES: ReadonlySet<string> = new Set([
  'Go back',
  'Is Online',
  'Is there a warning',
  'what did I pay last year',
  "Manage others' communication",
  "Manage others' forms",
  "Manage others' landing pages",
])
/** Message that lists the name and code of each US state. */
const STATE_NAMES = /^AL Alabama\|/

/** Returns all findings of one message of the catalog. */
export function findingsInMessage(message: string): Omit<Finding, 'line'>[] {
  if (UNCHANGED_MESSAGES.has(message) || STATE_NAMES.test(message)) return []
  const plainText = message
    .replaceAll(/\{\w+, (?:plural|select),|\b(?:one|other|=\d+) \{|<\/?\d+\/?>/g, ' ')
    .replaceAll(/\{\w+\}/g, 'X')
    .replaceAll(/[{}]/g, ' ')
    .trim()
  return phrasesIn('messages', plainText)
}

/** Returns all findings of a page of the docs. Ignores code. */
export function findingsInDoc(page: string): Finding[] {
  let code = false
  const paragraphs: { text: string; line: number }[] = []
  let isNew = true
  for (const [n, whole] of page.split('\n').entries()) {
    if (/^\s*(?:```|~~~)/.test(whole)) code = !code
    const line = code
      ? ''
      : whole.replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[*_]{1,2}(?=\S)|(?<=\S)[*_]{1,2}/g, '')
    if (/^\s*\|/.test(line)) {
      for (const cell of /^[\s|:-]+$/.test(line) ? [] : line.split('|')) paragraphs.push({ text: cell, line: n + 1 })
      isNew = true
    } else if (line.trim() === '' || /^\s*```/.test(whole)) isNew = true
    else {
      const text = line.replace(/^\s*(?:#+|[-*+]|\d+\.|>)\s+/, '')
      const last = paragraphs.at(-1)
      if (last && !isNew && text === line) last.text += ` ${text}`
      else paragraphs.push({ text, line: n + 1 })
      isNew = false
    }
  }
  return paragraphs.flatMap(({ text, line }) => phrasesIn('docs', text).map((finding) => ({ ...finding, line })))
}

/** Returns all findings of one TypeScript file. `path` shows if the file has test titles. */
export function findingsIn(path: string, text: string): Finding[] {
  const { comments, program } = parseSync(path, text)
  const lineOf = lines(text)
  const findings: Finding[] = []
  for (const comment of joined(comments, text))
    findings.push(
      ...phrasesIn('comments', comment.text).map((finding) => ({ ...finding, line: lineOf(comment.start) })),
    )
  const titles = TEST_FILE.test(path)
  const names = new Map<string, number>()
  const note = (name: string, start: number) => void (names.has(name) || names.set(name, start))
  new Visitor({
    Identifier: ({ name, start }) => note(name, start),
    CallExpression: ({ callee, arguments: [first] }) => {
      if (!titles || !first || !/^(?:test|it|describe)\b/.test(text.slice(callee.start, callee.end))) return
      const title =
        first.type === 'Literal' || first.type === 'TemplateLiteral' ? text.slice(first.start + 1, first.end - 1) : ''
      findings.push(...phrasesIn('titles', title).map((finding) => ({ ...finding, line: lineOf(first.start) })))
    },
  }).visit(program)
  for (const [name, start] of names)
    for (const word of stays(name, path) ? [] : wordsOf(name))
      if (Object.hasOwn(RETIRED, word))
        findings.push({ corpus: 'names', pattern: word, line: lineOf(start), text: name })
  return findings
}

const lines = (text: string) => {
  const starts = [...text.matchAll(/^/gm)].map(({ index }) => index)
  return (offset: number) => starts.findLastIndex((start) => start <= offset) + 1
}

/** Returns the words of a name in lower case. The result is the same for `keptRows`, `KEPT_ROWS` and `kept_rows`. */
const wordsOf = (name: string) =>
  new Set((name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase()))

interface CommentText {
  start: number
  text: string
}

/** Returns the comments as a reader sees them. Consecutive `//` lines are one comment. */
function joined(
  comments: readonly { type: string; value: string; start: number; end: number }[],
  text: string,
): CommentText[] {
  const result: (CommentText & { end: number; isLine: boolean })[] = []
  for (const { type, value, start, end } of comments) {
    if (DIRECTIVE.test(value)) continue
    const isLine = type === 'Line'
    const last = result.at(-1)
    const plain = value.replace(/^\*/, '').replaceAll(/\n\s*\* ?/g, '\n')
    if (isLine && last?.isLine && /^\n[ \t]*$/.test(text.slice(last.end, start))) {
      last.text += `\n${plain}`
      last.end = end
    } else result.push({ start, end, isLine, text: plain })
  }
  return result
}

const sentencesOf = (text: string) =>
  text
    .replaceAll(/`[^`]*`|https?:\/\/\S+|\$\{[^}]*\}/g, 'X')
    .replaceAll(/@(?:throws|param|returns|see|default|example|nightly|whole)\b/g, '. X ')
    .replaceAll(/\s+/g, ' ')
    .split(/(?<=[.!?:][)”"’]?)\s+(?=[A-Z“"(])/)
    .map((sentence) => sentence.replace(/^[.\s]+/, '').trim())
    .filter((sentence) => /[A-Za-z]{2}/.test(sentence))

function phrasesIn(corpus: Exclude<Corpus, 'names'>, text: string): Omit<Finding, 'line'>[] {
  const sentences = sentencesOf(text)
  const has = (matches: RegExp) => sentences.some((sentence) => matches.test(sentence))
  const isLong = sentences.some((sentence) => (sentence.match(/\S*\w\S*/g) ?? []).length > MAX_WORDS[corpus])
  return [
    ...Object.entries({ ...PHRASES, ...(corpus === 'messages' && { ...LABELS, ...TERMS }) }).flatMap(
      ([pattern, { matches }]) => (has(matches) ? [pattern] : []),
    ),
    ...(isLong ? ['long sentence'] : []),
  ].map((pattern) => ({ corpus, pattern, text: text.replaceAll(/\s+/g, ' ').trim() }))
}
