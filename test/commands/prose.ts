import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CODE_FOLDERS } from '../code-folders.ts'
import { englishCatalog } from '../english-catalog.ts'
import { type Corpus, type Finding, findingsIn, findingsInDoc, findingsInMessage, insteadOf } from '../prose.ts'

/**
 * Checks the wording of comments, test titles, names, messages, docs and commit subjects. The limits in
 * `test/prose-limits.json` may only decrease.
 *
 * - `npm run prose`: the counts. Fails if a count is above its limit or a commit subject breaks the rules.
 * - `npm run prose -- --list PATTERN`: the locations of one pattern or retired word.
 * - `npm run prose -- --lower`: writes lower limits.
 */
const root = fileURLToPath(new URL('../..', import.meta.url))
const LIMITS = join(root, 'test/prose-limits.json')

interface Limits {
  /** Last commit that the check skips. It checks only the subjects of later commits. */
  subjectsAfter: string
  counts: Record<Corpus, Record<string, number>>
}

/** Files that the check skips: generated files, and the files that list the retired words. */
const EXCLUDED = new Set(['server/db/schema.ts', 'test/prose.ts', 'docs/glossary.md'])

const findOf = (pattern: string, find: (file: string, text: string) => Finding[]): (Finding & { file: string })[] =>
  globSync(pattern, { cwd: root })
    .filter((file) => !EXCLUDED.has(file))
    .toSorted()
    .flatMap((file) => find(file, readFileSync(join(root, file), 'utf8')).map((finding) => ({ file, ...finding })))

const findings = [
  ...findOf(`{${CODE_FOLDERS.join()}}/**/*.{ts,tsx}`, findingsIn),
  ...(await englishCatalog()).flatMap(({ message, references: [reference = { file: '', line: 0 }] }) =>
    findingsInMessage(message).map((finding) => ({ ...reference, ...finding })),
  ),
  ...findOf('{*,docs/**/*,deploy/**/*}.md', (_file, text) => findingsInDoc(text)),
]

const list = process.argv.indexOf('--list')
if (list > 0) {
  const wanted = process.argv[list + 1]
  for (const { file, line, corpus, pattern, text } of findings)
    if (pattern === wanted) console.log(`${file}:${line} ${corpus}: ${text}`)
  process.exit()
}

const limits = JSON.parse(readFileSync(LIMITS, 'utf8')) as Limits
const counts: Limits['counts'] = { comments: {}, titles: {}, names: {}, messages: {}, docs: {} }
for (const { corpus, pattern } of findings) counts[corpus][pattern] = (counts[corpus][pattern] ?? 0) + 1

if (process.argv.includes('--lower')) {
  for (const corpus of Object.keys(counts) as Corpus[])
    for (const [pattern, limit] of Object.entries(limits.counts[corpus])) {
      const lower = Math.min(limit, counts[corpus][pattern] ?? 0)
      if (lower > 0) limits.counts[corpus][pattern] = lower
      else delete limits.counts[corpus][pattern]
    }
  writeFileSync(LIMITS, `${JSON.stringify(limits, null, 2)}\n`)
}

let failed = false
for (const corpus of Object.keys(counts) as Corpus[])
  for (const [pattern, count] of Object.entries(counts[corpus])) {
    const limit = limits.counts[corpus][pattern] ?? 0
    if (count <= limit) continue
    failed = true
    console.log(`${corpus}: "${pattern}" ${count} times, at most ${limit}. Write: ${insteadOf(corpus, pattern)}.`)
    for (const { file, line, text } of findings
      .filter((one) => one.corpus === corpus && one.pattern === pattern)
      .slice(0, 20))
      console.log(`  ${file}:${line} ${text.slice(0, 100)}`)
  }

for (const subject of subjectsAfter(limits.subjectsAfter)) {
  const fault = faultOf(subject)
  if (!fault) continue
  failed = true
  console.log(`Commit "${subject}": ${fault}`)
}

const total = (corpus: Corpus) => Object.values(counts[corpus]).reduce((sum, count) => sum + count, 0)
console.log(
  `${total('comments')} findings in comments, ${total('titles')} in test titles, ${total('names')} in names, ` +
    `${total('messages')} in messages, ${total('docs')} in docs`,
)
process.exitCode = failed ? 1 : 0

/**
 * Returns the subjects of the commits after `commit`. Empty if git is missing, or if the clone does not contain that
 * commit.
 */
function subjectsAfter(commit: string): string[] {
  try {
    const args = ['log', '--no-merges', '--format=%s', `${commit}..HEAD`]
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
      .split('\n')
      .filter(Boolean)
  } catch {
    return []
  }
}

/**
 * Returns the rule that a commit subject breaks. Null if it follows `scope: verb object`, in the imperative, with at
 * most 72 characters.
 */
function faultOf(subject: string): string | null {
  if (subject.length > 72) return `${subject.length} characters, at most 72.`
  const [, text] = /^[a-z0-9-]+(?:, [a-z0-9-]+)*: (\S.*)$/.exec(subject) ?? []
  if (text === undefined) return 'Write "scope: verb object".'
  if (/[.;]$|;/.test(text)) return 'Write one sentence without a period.'
  if (!/^[a-z]/.test(text) || /^(?:a|an|the|no|every|each|it|is|are|what|who|how|all|\w+(?:ed|ing)) /.test(text))
    return 'Start with an imperative verb in lower case.'
  return null
}
