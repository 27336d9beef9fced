import type { Messages } from '@lingui/core'
import { generateMessageId } from '@lingui/message-utils/generateMessageId'
import { translateWith } from '../shared/messages.ts'
import { i18n } from './i18n.ts'

/** Loads and activates the catalog of another language, for screens and for the texts of `shared/messages.ts`. */
export async function readIn(locale: string, url: string): Promise<void> {
  const response = await fetch(url).catch(() => null)
  // If the catalog cannot be loaded, the texts stay in English.
  if (!response?.ok) return
  activate(locale, (await response.json()) as Messages)
}

/** Activates a catalog. A message that it lacks stays in English. */
export function activate(locale: string, messages: Messages): void {
  i18n.loadAndActivate({ locale, messages })
  translateWith((message, values) => {
    const id = generateMessageId(message)
    return messages[id] === undefined ? undefined : i18n._(id, values)
  })
}
