import { currentSession } from './session.ts'

/**
 * Returns the owner of drafts: the signed-in person, or 'guest'. A draft is typed text that survives a reload and an
 * expired session. It is stored per page and person in this tab. It is deleted after sending, or when another person
 * signs in. Never store secrets in drafts: no passwords, no card or bank data. A form keeps the `owner` from when it
 * opened, so text typed after the session ended still belongs to that person.
 */
export const draftOwner = (): string => currentSession()?.userId ?? 'guest'

const keyOf = (name: string, owner: string) => `draft:${name}:${owner}`

export function readDraft<T>(name: string, owner: string = draftOwner()): T | null {
  try {
    const text = sessionStorage.getItem(keyOf(name, owner))
    return text === null ? null : (JSON.parse(text) as T)
  } catch {
    return null
  }
}

export function writeDraft(name: string, value: unknown, owner: string = draftOwner()): void {
  try {
    sessionStorage.setItem(keyOf(name, owner), JSON.stringify(value))
  } catch {
    // The browser blocks storage, or the storage is full. The form works without a draft.
  }
}

export function dropDraft(name: string, owner: string = draftOwner()): void {
  try {
    sessionStorage.removeItem(keyOf(name, owner))
  } catch {
    // The browser blocks storage, or the storage is full.
  }
}
