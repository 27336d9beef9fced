import { useEffect, useState } from 'react'
import { plainName } from '../../companies/rules.ts'

/** Pause in typing before the browser queries the server, in milliseconds. */
const TYPING_MS = 300

export interface Uniqueness {
  /**
   * Returns true if no other company uses the value. Queries the server only once for each value, after a pause in
   * typing. Also returns true if the person edits the value before the query is sent, because a new check follows.
   */
  isFree: (text: string) => Promise<boolean>
  /** Cached result for a value. Undefined if the value is not cached. */
  cached: (text: string) => boolean | undefined
  /** Clears the cache, so that every value is checked again. */
  forget: () => void
}

interface PendingCheck {
  key: string
  free: Promise<boolean>
}

/**
 * Creates an availability check.
 * @param ask asks the server. If the call fails, the text counts as available, because the server checks again on save.
 */
export function uniqueness(isFree: (text: string) => Promise<boolean>): Uniqueness {
  const pendingResults = new Map<string, Promise<boolean>>()
  const results = new Map<string, boolean>()
  /** Check of the latest value, which waits for a pause in typing. Calls with the same value share its result. */
  let pending: PendingCheck | null = null
  const keyOf = (text: string) => plainName(text).toLowerCase()

  const isFreeKey = (key: string): Promise<boolean> => {
    const result = pendingResults.get(key) ?? isFree(key).then((free) => (results.set(key, free), free))
    pendingResults.set(key, result)
    result.catch(() => pendingResults.delete(key))
    return result.catch(() => true)
  }
  return {
    cached: (text) => results.get(keyOf(text)),
    isFree: async (text) => {
      const key = keyOf(text)
      if (key === '') return true
      if (pendingResults.has(key)) return isFreeKey(key)
      if (pending?.key === key) return pending.free
      const paused = new Promise((resolve) => setTimeout(resolve, TYPING_MS))
      const check: PendingCheck = { key, free: paused.then(() => (pending === check ? isFreeKey(key) : true)) }
      pending = check
      return check.free
    },
    forget: () => {
      pendingResults.clear()
      results.clear()
      pending = null
    },
  }
}

/** Checks the value while the person types. Returns null if the value is empty or the result is not known yet. */
export function useIsFree(
  { isFree, cached }: Uniqueness,
  text: string,
  onResult: (free: boolean) => void,
): boolean | null {
  const [, setRound] = useState(0)
  useEffect(() => {
    if (text.trim() === '') return
    let current = true
    void isFree(text).then(() => {
      const free = cached(text)
      if (!current || free === undefined) return
      setRound((n) => n + 1)
      onResult(free)
    })
    return () => {
      current = false
    }
    // Only a new text needs a new check.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [text])
  return text.trim() === '' ? null : (cached(text) ?? null)
}
