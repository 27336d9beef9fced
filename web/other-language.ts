import { generateMessageId } from '@lingui/message-utils/generateMessageId'
import { translateWith } from '../shared/words.ts'
import { i18n } from './i18n.ts'

/** For those who read another language than English: gets its catalogue, for the screens and for what is declared. */
export async function readIn(locale: string, url: string): Promise<void> {
  const response = await fetch(url).catch(() => null)
  // English is better than nothing.
  if (!response?.ok) return
  i18n.load(locale, await response.json())
  i18n.activate(locale)
  translateWith((message, values) => {
    const id = generateMessageId(message)
    return i18n.messages[id] === undefined ? undefined : i18n._(id, values)
  })
}
