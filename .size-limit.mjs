import { readFileSync } from 'node:fs'

/**
 * Build manifest. The size limits cover the scripts that a page loads for its first view: the entry, the visible screen
 * and all their imports.
 */
const manifest = JSON.parse(readFileSync(new URL('dist/web/.vite/manifest.json', import.meta.url), 'utf8'))

function scriptsOf(...sources) {
  const files = new Set()
  const add = (key) => {
    const chunk = manifest[key]
    if (!chunk) throw new Error(`${key} is not in the build`)
    if (files.has(chunk.file)) return
    files.add(chunk.file)
    for (const imported of chunk.imports ?? []) add(imported)
  }
  for (const source of sources) add(source)
  return [...files].map((file) => `dist/web/${file}`)
}

/** Maximum number of scripts that any screen loads for its first view. `maxFiles` in `vite.config.ts` leads to it. */
const MAX_SCRIPTS = 25

/** Returns the screens and other parts that the entry can load later. */
function partsOf(entry) {
  const parts = new Set()
  const found = new Set([entry])
  for (const key of found) {
    for (const part of manifest[key].dynamicImports ?? []) parts.add(part)
    for (const next of [...(manifest[key].imports ?? []), ...(manifest[key].dynamicImports ?? [])]) found.add(next)
  }
  return parts
}

const tooMany = ['citizen.html', 'municipality.html', 'admin.html'].flatMap((entry) =>
  [...partsOf(entry)].flatMap((part) => {
    const count = scriptsOf(entry, part).length
    return count > MAX_SCRIPTS ? `${part} with ${entry} loads ${count} scripts, limit ${MAX_SCRIPTS}` : []
  }),
)
if (tooMany.length > 0) throw new Error(tooMany.join('\n'))

const page = (name, limit, ...sources) => ({ name, limit, path: scriptsOf(...sources), brotli: true })

export default [
  page('landing', '104 kB', 'citizen.html'),
  page('guest payment', '158 kB', 'citizen.html', '../features/checkout/web/PaymentScreen.tsx'),
  page('payment report', '227 kB', 'municipality.html', '../features/payment-report/web/PaymentReportScreen.tsx'),
  page('companies', '230 kB', 'admin.html', '../features/town-config/web/CompaniesScreen.tsx'),
]
