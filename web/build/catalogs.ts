import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { formatter } from '@lingui/format-po'
import { type CompiledMessage, compileMessage } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'

const SOURCE = 'en'

/** Compiles a catalog of translations to the form that the server and browsers read: by id, without a parser. */
export async function compiledCatalog(po: string, locale: string): Promise<Record<string, CompiledMessage>> {
  const entries = await formatter().parse(po, { locale, sourceLocale: SOURCE, filename: `${locale}/messages.po` })
  const translated = Object.entries(entries).filter(([, { translation, obsolete }]) => translation && !obsolete)
  return Object.fromEntries(translated.map(([id, { translation }]) => [id, compileMessage(translation)]))
}

/**
 * Writes `languages/es.json` next to the pages for each language in `web/locales`. English needs no file, because its
 * messages are in the source.
 */
export const compileCatalogs = (locales: string): Plugin => ({
  name: 'compile-catalogs',
  apply: 'build',
  writeBundle: async ({ dir = '' }) => {
    await mkdir(join(dir, 'languages'), { recursive: true })
    for (const locale of await readdir(locales)) {
      if (locale === SOURCE) continue
      const messages = await compiledCatalog(await readFile(join(locales, locale, 'messages.po'), 'utf8'), locale)
      await writeFile(join(dir, 'languages', `${locale}.json`), JSON.stringify(messages))
    }
  },
})
