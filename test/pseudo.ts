import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { generateMessageId } from '@lingui/message-utils/generateMessageId'
import { findSentences, isForReaders } from '../web/build/find-sentences.ts'
import { englishCatalog } from './english-catalog.ts'

/** A test language: English with brackets around each message, so that untranslated text is visible. */
export const PSEUDO = 'en-XA'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Messages that are also names in the demo data. */
const NAMES = new Set(['Public Works', 'Parks and Recreation'])

let cachedSources: ({ file: string } & ReturnType<typeof findSentences>)[] | undefined

/**
 * Returns the messages and other sentences for readers in all source files, by path. The search takes seconds, so the
 * result is cached.
 */
export const sources = () =>
  (cachedSources ??= ['shared', 'server', 'web', 'features', 'portal']
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
    )
    .map((path) => path.replaceAll('\\', '/'))
    .filter(isForReaders)
    .map((file) => ({ file, ...findSentences(file, readFileSync(join(ROOT, file), 'utf8')) })))

/** Returns the source messages without placeholders. No page in another language may show them. */
export function plainMessages(): Set<string> {
  const messages = sources().flatMap(({ sentences }) => sentences.map(({ message }) => message))
  return new Set(messages.filter((message) => !/[{}]/.test(message) && !NAMES.has(message)))
}

/** Writes the catalog of the pseudo-language into a folder, as the build does for other languages. */
export async function writePseudo(folder: string): Promise<void> {
  const messages = new Map((await englishCatalog()).map(({ id, message }) => [id, message]))
  // Adds messages that are not in the extracted catalog yet.
  for (const { sentences } of sources())
    for (const { message } of sentences) messages.set(generateMessageId(message), message)
  const compiled = [...messages].map(([id, message]) => [id, compileMessage(`⟦${message}⟧`)])
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${PSEUDO}.json`), JSON.stringify(Object.fromEntries(compiled)))
}
