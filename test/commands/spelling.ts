import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { getDefaultSettings, spellCheckDocument } from 'cspell-lib'

/**
 * Checks the spelling of code, comments, messages and docs in US English. `test/spelling-words.txt` lists additional
 * words: technical terms, and names of standards and people. Prints each unknown word once, with its first location.
 */
const root = join(import.meta.dirname, '../..')

/** Files that contain other languages, typing errors or made-up names on purpose. */
const LEFT_OUT =
  /\.test\.tsx?$|^test\/|(?:^|\/)demo|^features\/faqs\/|^server\/sms\/keywords|^shared\/(?:decency|gsm|near-email)|^server\/(?:voice\/phrases|places\/words|pack-texts)|^database\/(?:names|towns)|^features\/alerts\/(?:rules|server\/spoken)|^features\/utility-accounts\/rules\.ts$|^docs\/glossary|\/fixtures\//

const listed = readFileSync(join(root, 'test/spelling-words.txt'), 'utf8').split('\n').filter(Boolean)
/** British spellings that the dictionary accepts, but this check must report. */
const flagWords = [
  'behaviour',
  'catalogue',
  'centre',
  'cheque',
  'colour',
  'enrolment',
  'favour',
  'grey',
  'honour',
  'licence',
  'neighbour',
  'normalise',
  'organise',
  'recognise',
]
const british = [...flagWords, ...flagWords.map((word) => `${word}s`)]
const settings = {
  ...(await getDefaultSettings(true)),
  language: 'en-US',
  allowCompoundWords: true,
  words: listed,
  flagWords: british,
}

const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs', '*.sql', '*.md', 'packs/*.json'], {
  cwd: root,
})
  .toString()
  .split('\n')
  .filter((file) => file !== '' && !LEFT_OUT.test(file))

/** Empties the lines of a starter pack that contain no English text. */
const englishLines = (content: string): string =>
  content
    .split('\n')
    .map((line) => (/^\s*"en": "/.test(line) ? line : ''))
    .join('\n')

const unknown = new Map<string, string>()
for (const file of files) {
  const path = join(root, file)
  const content = readFileSync(path, 'utf8')
  const text = file.startsWith('packs/') ? englishLines(content) : content
  const document = { uri: pathToFileURL(path).href, text }
  const { issues } = await spellCheckDocument(document, { generateSuggestions: false, noConfigSearch: true }, settings)
  for (const { text: word, offset } of issues) {
    const reference = `${file}:${text.slice(0, offset).split('\n').length}`
    if (!unknown.has(word.toLowerCase())) unknown.set(word.toLowerCase(), reference)
  }
}
for (const [word, reference] of unknown) console.log(`${word}  ${reference}`)
console.log(`${files.length} files, ${unknown.size} unknown words`)
process.exitCode = unknown.size === 0 ? 0 : 1
