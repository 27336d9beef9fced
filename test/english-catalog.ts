import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { formatter } from '@lingui/format-po'

const CATALOG = fileURLToPath(new URL('../web/locales/en/messages.po', import.meta.url))

interface CatalogEntry {
  id: string
  message: string
  references: { file: string; line: number }[]
  /** Source code of each placeholder: `placeholder {0}: formatCents(cents)`. */
  comments: string[]
}

/** Reads the English catalog that `npx lingui extract` writes. */
export async function englishCatalog(): Promise<CatalogEntry[]> {
  const entries = await formatter().parse(readFileSync(CATALOG, 'utf8'), {
    ...{ locale: 'en', sourceLocale: 'en', filename: 'messages.po' },
  })
  return Object.entries(entries).map(([id, { translation, origin = [], comments = [] }]) => ({
    ...{ id, message: translation, comments },
    references: origin.map(([file, line = 0]) => ({ file, line })),
  }))
}
