import { createHash } from 'node:crypto'
import type { Plugin, Rolldown } from 'vite'

const FILE = 'field-worker.js'
/** Lazily loaded code that must be on the device: the field screen and its parts. */
const SCREENS = /\/(?:features\/field\/web\/FieldScreen\.tsx|portal\/in-field\.ts)$/
const ENTRY = /\/portal\/municipality\.(?:html|tsx)$/
const FONTS = /latin-[47]00-normal-[^/]*\.woff2$/

/** Builds the service worker of the field screen, with the names of all its files. */
export const fieldWorker = (source: string): Plugin => ({
  name: 'field-worker',
  apply: 'build',
  buildStart() {
    this.emitFile({ type: 'chunk', id: source, fileName: FILE })
  },
  generateBundle(_options, bundle) {
    const worker = bundle[FILE]
    if (worker?.type !== 'chunk') this.error('the service worker was not built')
    const names = [...needed(bundle)].toSorted()
    const version = createHash('sha256').update(worker.code).update(names.join()).digest('hex').slice(0, 12)
    worker.code = worker.code
      .replaceAll('FIELD_ASSETS', () => JSON.stringify(names.map((name) => `/${name}`)))
      .replaceAll('FIELD_VERSION', () => JSON.stringify(version))
  },
})

/** Returns the files of the entry and the screens, with all static imports. */
function needed(bundle: Rolldown.OutputBundle): Set<string> {
  const files = new Set(Object.keys(bundle).filter((name) => FONTS.test(name)))
  const add = (name: string) => {
    const chunk = bundle[name]
    if (chunk?.type !== 'chunk' || files.has(name)) return
    files.add(name)
    for (const css of chunk.viteMetadata?.importedCss ?? []) files.add(css)
    for (const imported of chunk.imports) add(imported)
  }
  for (const [name, chunk] of Object.entries(bundle))
    if (chunk.type === 'chunk' && chunk.moduleIds.some((id) => ENTRY.test(id) || SCREENS.test(id))) add(name)
  return files
}
