import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { type Messages, setupI18n } from '@lingui/core'
import { generateMessageId } from '@lingui/message-utils/generateMessageId'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Translator, translateWith } from '../shared/messages.ts'

/**
 * A language other than English, with its catalog. The build compiles catalogs from `web/locales`
 * (`web/build/catalogs.ts`).
 */
export interface Language {
  locale: string
  translate: Translator
  /** Compiled messages by their id. */
  messages: Messages
  /** URL from which a page loads this catalog. */
  url: string
  compressed: Buffer
}

/** Language of the current work. Undefined for English. */
const reader = new AsyncLocalStorage<Language | undefined>()
translateWith((message, values) => reader.getStore()?.translate(message, values))

/** Returns the language of the current work. Undefined for English, which is the default in jobs. */
export const readersLanguage = (): Pick<Language, 'locale' | 'url' | 'messages'> | undefined => reader.getStore()

/** Runs work in English. Used for text to another person, because that person's language is unknown. */
export const inEnglish = <T>(work: () => T): T => reader.run(undefined, work)

const loaded = new Map<string, Language>()

/** Runs work in this language, for a job that a person's call started. If the language is unknown, English is used. */
export const inLanguage = <T>(locale: string | undefined, work: () => T): T =>
  reader.run(loaded.get(locale ?? ''), work)

/**
 * Reads the catalogs of languages other than English from a folder. Each language has one file, such as `es.json`. The
 * folder may be missing.
 */
export function readLanguages(folder: string): Language[] {
  let names: string[] = []
  try {
    names = readdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return names.flatMap((name) => {
    const locale = /^([a-z]{2,3}(?:-[A-Z]{2})?)\.json$/.exec(name)?.[1]
    if (locale === undefined) return []
    const language = languageOf(locale, readFileSync(join(folder, name)))
    loaded.set(locale, language)
    return [language]
  })
}

function languageOf(locale: string, file: Buffer): Language {
  const messages = JSON.parse(file.toString()) as Messages
  const i18n = setupI18n({ locale, messages: { [locale]: messages } })
  const version = createHash('sha256').update(file).digest('hex').slice(0, 12)
  return {
    locale,
    messages,
    translate: (message, values) => {
      const id = generateMessageId(message)
      return messages[id] === undefined ? undefined : i18n._(id, values)
    },
    url: `/languages/${locale}-${version}.json`,
    compressed: brotliCompressSync(file),
  }
}

/** Chooses the available language that the browser prefers. No other code decides the language. */
function languageFor(languages: readonly Language[], requested: string | undefined): Language | undefined {
  const preferences = (requested ?? '').split(',').map((part) => {
    const [tag = '', quality] = part
      .trim()
      .toLowerCase()
      .split(/;\s*q=/)
    return { tag, quality: quality === undefined ? 1 : Number(quality) || 0 }
  })
  for (const { tag, quality } of preferences.toSorted((one, other) => other.quality - one.quality)) {
    if (quality === 0) continue
    const exact = languages.find(({ locale }) => locale.toLowerCase() === tag)
    if (exact) return exact
    const [primary] = tag.split('-')
    if (primary === 'en') return undefined
    const near = languages.find(({ locale }) => locale.split('-')[0] === primary)
    if (near) return near
  }
  return undefined
}

/**
 * Runs each request in the reader's language, and serves the catalogs.
 * @returns A function that runs work in the language of a request
 */
export function mountLanguages(app: FastifyInstance, languages: readonly Language[]) {
  const within = <T>(request: FastifyRequest, work: () => T): T =>
    reader.run(languageFor(languages, request.headers['accept-language']), work)
  if (languages.length > 0) {
    app.addHook('onRequest', (request, _reply, done) => within(request, done))
    // Sets the language again, because the request's asynchronous context is lost while the body is read.
    app.addHook('preValidation', (request, _reply, done) => within(request, done))
  }
  for (const { url, compressed } of languages)
    app.get(url, (_request, reply) =>
      reply
        .header('content-type', 'application/json; charset=utf-8')
        .header('content-encoding', 'br')
        .header('cache-control', 'public, max-age=31536000, immutable')
        .send(compressed),
    )
  return within
}
