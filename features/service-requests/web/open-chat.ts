import { useSyncExternalStore } from 'react'
import { currentSession } from '../../../web/session.ts'

/** Open chat of this tab. Null if the chat is closed, 0 for the list of chats, otherwise a request id. */
export type OpenChat = number | null

/** Id of the button that opens and closes the chat. */
export const CHAT_BUTTON = 'chat-button'

/**
 * Storage key of the open chat. The chat stays open across screens and reloads, but only for the person who opened it.
 */
const KEY = 'chat'
const keyOf = () => `${KEY}:${currentSession()?.userId ?? ''}`

const listeners = new Set<() => void>()

function read(): OpenChat {
  const stored = sessionStorage.getItem(keyOf())
  return stored !== null && /^\d{1,15}$/.test(stored) ? Number(stored) : null
}

/** Opens the list of chats (0) or the chat of one request. Closes the chat if `chat` is null. */
export function showChat(chat: OpenChat): void {
  if (chat === null) sessionStorage.removeItem(keyOf())
  else sessionStorage.setItem(keyOf(), String(chat))
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useChat = (): OpenChat => useSyncExternalStore(subscribe, read, () => null)
