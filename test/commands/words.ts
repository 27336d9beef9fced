import { englishCatalog } from '../english-catalog.ts'

/**
 * Prints the messages of a folder or file in the order of the source, for editors and translators: `npm run words --
 * features/rentals`.
 */
const folder = (process.argv[2] ?? '').replace(/\/+$/, '')

const references = (await englishCatalog())
  .flatMap(({ message, references: all, comments }) =>
    all.map((reference) => ({ ...reference, message, values: comments.join(', ').replaceAll('placeholder ', '') })),
  )
  .filter(({ file }) => file === folder || file.startsWith(`${folder}/`))
  .toSorted((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line))

let last = ''
for (const { file, line, message, values } of references) {
  if (file !== last) console.log(`\n${file}`)
  last = file
  console.log(`${String(line).padStart(5)}  ${message.replaceAll('\n', String.raw`\n`)}${values && `  [${values}]`}`)
}
if (references.length === 0) {
  console.error(`No messages in "${folder}". Name a folder or file, such as features/rentals.`)
  process.exitCode = 1
}
