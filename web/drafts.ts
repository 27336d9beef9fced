import { currentSession } from './session.ts'

/**
 * Typed text outlives a reload and an expired session. Kept per page and person in this tab's storage, and dropped
 * once it was sent. Never for secrets: no passwords, no card or bank data.
 */
const keyOf = (name: string) => `draft:${name}:${currentSession()?.userId ?? 'guest'}`

export function readDraft<T>(name: string): T | null {
  try {
    const text = sessionStorage.getItem(keyOf(name))
    return text === null ? null : (JSON.parse(text) as T)
  } catch {
    return null
  }
}

export function writeDraft(name: string, value: unknown): void {
  try {
    sessionStorage.setItem(keyOf(name), JSON.stringify(value))
  } catch {
    // full or refused storage: the draft is a convenience, the form works without it
  }
}

export function dropDraft(name: string): void {
  try {
    sessionStorage.removeItem(keyOf(name))
  } catch {
    // as above
  }
}
