/**
 * Stores the messages that a thread writes. The main thread translates them later, because only the main thread knows
 * the reader's language.
 */
import { type MessageText, translateWith } from '../shared/messages.ts'

/**
 * Maximum number of stored messages. Above it, the oldest message is dropped. So the parser must send each message
 * before it writes this many others.
 */
const MAX_SAYINGS = 1000

const sayings = new Map<string, MessageText>()

export function recordMessageTexts(): void {
  translateWith((message, values, english) => {
    const text = english?.() ?? message
    const parts = Object.values(values).map((value) => sayings.get(String(value)) ?? value)
    sayings.delete(text)
    sayings.set(text, { english: text, message, values: parts })
    const [oldest] = sayings.keys()
    if (sayings.size > MAX_SAYINGS && oldest !== undefined) sayings.delete(oldest)
    return undefined
  })
}

export const messageTextOf = (text: string): MessageText =>
  sayings.get(text) ?? { english: text, message: text, values: [] }
