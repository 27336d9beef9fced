import {
  DataSet,
  englishDataset,
  englishRecommendedTransformers,
  parseRawPattern,
  RegExpMatcher,
  remapCharactersTransformer,
} from 'obscenity'
import * as z from 'zod/mini'

/**
 * Profanity filter (spec 5.7) for text that a company publishes or its staff receive. It also detects disguised words.
 * Names of people are never filtered.
 */

/**
 * Words on the filter's list that a municipality must still be able to write: body parts, crimes, birds, and parts of
 * names.
 */
const NEEDED = new Set([
  ...['anal', 'anus', 'penis', 'semen', 'sex', 'vagina', 'ejaculate', 'orgasm', 'incest', 'rape', 'bestiality'],
  ...['boob', 'chink', 'cum', 'dick', 'dyke', 'hooker', 'prick', 'retard', 'scat', 'tit', 'turd', 'abo', 'fisting'],
])

/**
 * Offensive phrases that contain words from `NEEDED`, and spellings that the library's list lacks. `|` marks the start
 * or end of a word.
 */
const ADDED = [
  ...[
    'dickhead',
    'dick head',
    'suck my dick',
    '|tits|',
    '|titties|',
    'retarded',
    '|retards|',
    '|cumshot',
    '|asshole',
    '|arsehole',
  ],
  ...['phuck', '|wanker', '|fck|', '|fcking', '|stfu|', 'motherf'],
]

/** Harmless words that contain an offensive word. */
const INNOCENT = [
  ...[
    'cockpit',
    'cocktail',
    'cockatoo',
    'cockatiel',
    'cockle',
    'cockroach',
    'cockerel',
    'peacock',
    'hancock',
    'hitchcock',
  ],
  ...['cockburn', 'woodcock', 'babcock', 'shuttlecock', 'weathercock', 'gamecock', 'cockcrow', 'stopcock', 'cockspur'],
  ...[
    'shiitake',
    'shitake',
    'matsushita',
    'mishit',
    'niggardl',
    'niggle',
    'pissarro',
    'pussy willow',
    'pussywillow',
    'pussycat',
  ],
  ...['scunthorpe', 'bastardo', 'bastardy', 'saltwater', 'arsenic', 'arsenal', 'parse', 'fagin', 'fagus', 'assateague'],
  ...[
    'swank',
    'wankel',
    'twatt ',
    'negroni',
    'river negro',
    'rio negro',
    'fukuda',
    'fukui',
    'fukush',
    'dickensian',
    'pornic',
    'prickly',
  ],
]

const dataset = new DataSet<{ originalWord: string }>()
  .addAll(englishDataset)
  .removePhrasesIf(({ metadata }) => NEEDED.has(metadata?.originalWord ?? ''))
for (const raw of ADDED)
  dataset.addPhrase((phrase) => phrase.setMetadata({ originalWord: raw }).addPattern(parseRawPattern(raw)))
dataset.addPhrase((phrase) => INNOCENT.reduce((all, term) => all.addWhitelistedTerm(term), phrase))

/**
 * Characters that look like letters and that the library does not know: those in the specification's table, and + for
 * t. The table has 4 and @ for a, 3 for e, 0 for o, and $ and 5 for s.
 */
const lookalikes = remapCharactersTransformer({ a: '4@ª', e: '3€', i: '1!¡|', o: '0º', s: '$5§', t: '+7†' })

const { blacklistMatcherTransformers, whitelistMatcherTransformers } = englishRecommendedTransformers
const matcher = new RegExpMatcher({
  ...dataset.build(),
  blacklistMatcherTransformers: [lookalikes, ...(blacklistMatcherTransformers ?? [])],
  ...(whitelistMatcherTransformers && { whitelistMatcherTransformers }),
})

/** Invisible characters and emoji. The filter ignores them between letters. */
const UNSEEN = /[\p{Cf}\p{M}\p{Extended_Pictographic}]/gu
/** Matches four or more separated letters: 'f u c k', 'f.u.c.k', 'f-u-c-k'. */
const SPACED = /(?<![\p{L}\p{N}])(?:[\p{L}\p{N}$@!+][\s._*~'-]{1,3}){3,}[\p{L}\p{N}$@!+](?![\p{L}\p{N}])/gu

/** Returns the first offensive word of a text, as typed. Null if the text has none. */
export function offensiveIn(text: string): string | null {
  const plain = text.normalize('NFKD').replaceAll(UNSEEN, '')
  for (const part of partsOf(plain)) {
    const match = matcher.getAllMatches(part, true).find(({ startIndex, endIndex }) => {
      // A match needs at least one letter, because digits without letters are a number, even if they resemble a word.
      return /\p{L}/u.test(part.slice(startIndex, endIndex + 1))
    })
    if (match) return wordAt(part, match.startIndex, match.endIndex)
  }
  return plain.match(SPACED)?.find((chars) => matcher.hasMatch(chars.replaceAll(/[\s._*~'-]/g, ''))) ?? null
}

/**
 * Splits a long text into parts, because the matcher is much slower for long texts. Each part repeats the last words of
 * the previous part.
 */
function* partsOf(text: string): Generator<string> {
  const tokens = text.match(/\S{1,200}/g) ?? []
  for (let at = 0; at < tokens.length; at += 40) yield tokens.slice(Math.max(0, at - 3), at + 40).join(' ')
}

/** Returns the whole words that contain a match. */
function wordAt(text: string, from: number, to: number): string {
  const before = /\S*$/.exec(text.slice(0, from))?.[0] ?? ''
  const after = /^\S*/.exec(text.slice(to + 1))?.[0] ?? ''
  return before + text.slice(from, to + 1) + after
}

/** Refuses offensive words in a form field with text that other people see. */
export const decent = z.refine((text) => offensiveIn(String(text)) === null, {
  error: ({ input }) => `Please choose other words: “${offensiveIn(String(input)) ?? ''}” cannot be used here.`,
})
