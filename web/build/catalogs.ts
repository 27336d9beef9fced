import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { formatter } from '@lingui/format-po'
import { type CompiledMessage, compileMessage } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'

const SOURCE = 'en'

/** A catalogue as translators keep it, in the form that server and browser read: by id, without a parser. */
export async function compiledCatalogue(po: string, locale: string): Promise<Record<string, CompiledMessage>> {
  const entries = await formatter().parse(po, { locale, sourceLocale: SOURCE, filename: `${locale}/messages.po` })
  const translated = Object.entries(entries).filter(([, { translation, obsolete }]) => translation && !obsolete)
  return Object.fromEntries(translated.map(([id, { translation }]) => [id, compileMessage(translation)]))
}

/** Writes `languages/es.json` beside the pages for each language in `web/locales` but English, which stands in the source. */
export const compileCatalogues = (locales: string): Plugin => ({
  name: 'compile-catalogues',
  apply: 'build',
  writeBundle: async ({ dir = '' }) => {
    await mkdir(join(dir, 'languages'), { recursive: true })
    for (const locale of await readdir(locales)) {
      if (locale === SOURCE) continue
      const messages = await compiledCatalogue(await readFile(join(locales, locale, 'messages.po'), 'utf8'), locale)
      await writeFile(join(dir, 'languages', `${locale}.json`), JSON.stringify(messages))
    }
  },
})
