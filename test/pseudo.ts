import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { formatter } from '@lingui/format-po'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { generateMessageId } from '@lingui/message-utils/generateMessageId'
import { findSentences, isForReaders } from '../web/build/find-sentences.ts'

/** A language for tests: English with brackets around each message, so that what was not looked up is seen. */
export const PSEUDO = 'en-XA'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** What the demo's towns and people are called, too. */
const NAMES = new Set(['Public Works', 'Parks and Recreation'])

let found: ({ file: string } & ReturnType<typeof findSentences>)[] | undefined

/** What stands in all sources whose sentences people read, by their path. It takes seconds, and is done once. */
export const sources = () =>
  (found ??= ['shared', 'server', 'web', 'features', 'portal']
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
    )
    .map((path) => path.replaceAll('\\', '/'))
    .filter(isForReaders)
    .map((file) => ({ file, ...findSentences(file, readFileSync(join(ROOT, file), 'utf8')) })))

/** The messages without values, as they stand in the source: nowhere on a page in another language. */
export function plainMessages(): Set<string> {
  const messages = sources().flatMap(({ sentences }) => sentences.map(({ message }) => message))
  return new Set(messages.filter((message) => !/[{}]/.test(message) && !NAMES.has(message)))
}

/** Writes the catalogue of the pseudo-language into a folder, as the build does for others. */
export async function writePseudo(folder: string): Promise<void> {
  const po = readFileSync(join(ROOT, 'web/locales/en/messages.po'), 'utf8')
  const collected = await formatter().parse(po, { locale: 'en', sourceLocale: 'en', filename: 'messages.po' })
  const messages = new Map(Object.entries(collected).map(([id, { translation }]) => [id, translation]))
  // What was written since the catalogue was last collected.
  for (const { sentences } of sources())
    for (const { message } of sentences) messages.set(generateMessageId(message), message)
  const compiled = [...messages].map(([id, message]) => [id, compileMessage(`⟦${message}⟧`)])
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${PSEUDO}.json`), JSON.stringify(Object.fromEntries(compiled)))
}
