/** Words that any question may contain, regardless of its subject. */
const EMPTY = new Set(
  `a about all also am an and any are as at be been before being but by can cant could d did didnt do does doesnt doing done
  dont each for from get gets getting got had has have having he her here hers him his how hows i id if im in into is isnt it
  its itself ive just know let like ll m many me much my need no not of on or our ours out own please re s she should so some
  tell than that the their them then there theres these they this those to too up us ve very want was we were what whats when
  where wheres which while who whom why will with wont would you your yours`.split(/\s+/),
)

export interface SearchTerm {
  text: string
  stem: string
}

/**
 * Returns the meaningful words of a text, each as written and without its ending. If no word is meaningful, returns all
 * words.
 */
export function termsOf(text: string): SearchTerm[] {
  const plain = text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[’'\p{M}]/gu, '')
  const all = plain.match(/[\p{L}\p{N}]+/gu) ?? []
  const telling = all.filter((word) => !EMPTY.has(word))
  return (telling.length > 0 ? telling : all).map((word) => ({ text: word, stem: stemOf(word) }))
}

/** Removes the ending of a word, roughly like Porter's algorithm. The result need not be a word. */
export function stemOf(word: string): string {
  if (word.length < 4) return word
  let stem = word
    .replace(/sses$/, 'ss')
    .replace(/ies$/, 'y')
    .replace(/([^su])s$/, '$1')
  const cut = stem.replace(/(?:ation|ment|ings?|ed|ly|er|or)$/, '')
  if (cut.length >= 3 && /[aeiouy]/.test(cut)) stem = cut.replace(/([^aeiouls])\1$/, '$1')
  return stem.length > 3 ? stem.replace(/y$/, 'i').replace(/e$/, '') : stem
}

/** Returns all trigrams of a text, with the starts and ends of its words. Similar texts share many of them. */
export function trigramsOf(terms: readonly SearchTerm[]): Set<string> {
  const all = new Set<string>()
  for (const { text } of terms) {
    const padded = `  ${text} `
    for (let at = 0; at + 3 <= padded.length; at += 1) all.add(padded.slice(at, at + 3))
  }
  return all
}
