import { currentSession } from './session.ts'

/**
 * Typed text outlives a reload and an expired session. Kept per page and person in this tab's storage, and dropped
 * once it was sent, or when somebody else signs in. Never for secrets: no passwords, no card or bank data.
 *
 * `owner` is whose text it is. A form keeps who opened it: when their session ends under their hands, what they type
 * until they notice is still theirs.
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
    // full or refused storage: the draft is a convenience, the form works without it
  }
}

export function dropDraft(name: string, owner: string = draftOwner()): void {
  try {
    sessionStorage.removeItem(keyOf(name, owner))
  } catch {
    // as above
  }
}

/** What a guest began and goes on with signed in is theirs from now on, unless they have begun the same before. */
export function takeOverDraft(name: string): void {
  const owner = draftOwner()
  const begun = readDraft(name, 'guest')
  if (owner === 'guest' || begun === null || readDraft(name, owner) !== null) return
  writeDraft(name, begun, owner)
  dropDraft(name, 'guest')
}
