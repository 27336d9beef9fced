import { useSyncExternalStore } from 'react'
import { currentSession } from '../../../web/session.ts'

/** What the chat of this tab shows: nothing (null), its list (0), or the conversation with this number. */
export type OpenChat = number | null

/** The button that opens and shuts it. */
export const CHAT_BUTTON = 'chat-button'

/** It stays open from screen to screen and over a reload, for whoever opened it alone. */
const KEY = 'chat'
const keyOf = () => `${KEY}:${currentSession()?.userId ?? ''}`

const listeners = new Set<() => void>()

function read(): OpenChat {
  const kept = sessionStorage.getItem(keyOf())
  return kept !== null && /^\d{1,15}$/.test(kept) ? Number(kept) : null
}

/** Opens the chat at its list (0) or at a conversation, or shuts it (null). */
export function showChat(shown: OpenChat): void {
  if (shown === null) sessionStorage.removeItem(keyOf())
  else sessionStorage.setItem(keyOf(), String(shown))
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useChat = (): OpenChat => useSyncExternalStore(subscribe, read, () => null)
