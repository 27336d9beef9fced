import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Prints the messages of a folder or file in the order of the source, for editors and translators: `npm run words --
 * features/rentals`. Reads the catalog that `npx lingui extract` writes.
 */
const CATALOG = 'web/locales/en/messages.po'
const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = (process.argv[2] ?? '').replace(/\/+$/, '')

interface Place {
  file: string
  line: number
  message: string
  /** Code of each placeholder. */
  values: string
}

const unquoted = (lines: string[]): string =>
  lines.map((line) => JSON.parse(line.replace(/^msgid /, '')) as string).join('')

/** Returns the places of one entry of the catalog. */
function placesOf(entry: string): Place[] {
  const lines = entry.split('\n')
  const end = lines.findIndex((line) => line.startsWith('msgstr'))
  const message = unquoted(lines.slice(0, end).filter((line) => /^(?:msgid )?"/.test(line)))
  const values = lines.flatMap((line) => /^#\. placeholder (.*)$/.exec(line)?.[1] ?? []).join(', ')
  return lines
    .flatMap((line) => (line.startsWith('#: ') ? line.slice(3).split(' ') : []))
    .map((place) => {
      const [file = '', line = ''] = place.split(':')
      return { file, line: Number(line), message, values }
    })
}

const places = readFileSync(join(root, CATALOG), 'utf8')
  .split('\n\n')
  .flatMap(placesOf)
  .filter(({ file }) => file === folder || file.startsWith(`${folder}/`))
  .toSorted((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line))

let last = ''
for (const { file, line, message, values } of places) {
  if (file !== last) console.log(`\n${file}`)
  last = file
  console.log(`${String(line).padStart(5)}  ${message.replaceAll('\n', String.raw`\n`)}${values && `  [${values}]`}`)
}
if (places.length === 0) {
  console.error(`No messages in "${folder}". Name a folder or file, such as features/rentals.`)
  process.exitCode = 1
}
