import { useEffect, useState } from 'react'
import { plainName } from '../../companies/rules.ts'

/** Pause in typing before the server is asked, in milliseconds. */
const TYPING_MS = 300

export interface Uniqueness {
  /** True if the text is free. Asks once per text, when typing pauses. A text that was typed over counts as free. */
  isFree: (text: string) => Promise<boolean>
  /** Cached result for a text. Undefined if not cached. */
  cached: (text: string) => boolean | undefined
  /** Clears the cache, so that every text is checked again. */
  forget: () => void
}

interface PendingCheck {
  key: string
  free: Promise<boolean>
}

/** @param ask the server's answer. If it fails, the text counts as free, because the server checks again on save. */
export function uniqueness(ask: (text: string) => Promise<boolean>): Uniqueness {
  const answers = new Map<string, Promise<boolean>>()
  const known = new Map<string, boolean>()
  /** Latest text, which waits for a pause in typing. Calls with the same text share its result. */
  let waiting: PendingCheck | null = null
  const keyOf = (text: string) => plainName(text).toLowerCase()

  const answer = (key: string): Promise<boolean> => {
    const asked = answers.get(key) ?? ask(key).then((free) => (known.set(key, free), free))
    answers.set(key, asked)
    asked.catch(() => answers.delete(key))
    return asked.catch(() => true)
  }
  return {
    cached: (text) => known.get(keyOf(text)),
    isFree: async (text) => {
      const key = keyOf(text)
      if (key === '') return true
      if (answers.has(key)) return answer(key)
      if (waiting?.key === key) return waiting.free
      const paused = new Promise((resolve) => setTimeout(resolve, TYPING_MS))
      const mine: PendingCheck = { key, free: paused.then(() => (waiting === mine ? answer(key) : true)) }
      waiting = mine
      return mine.free
    },
    forget: () => {
      answers.clear()
      known.clear()
      waiting = null
    },
  }
}

/** Checks the text while the person types. Null if empty or not known yet. */
export function useIsFree(
  { isFree, cached: known }: Uniqueness,
  text: string,
  onKnown: (free: boolean) => void,
): boolean | null {
  const [, setRound] = useState(0)
  useEffect(() => {
    if (text.trim() === '') return
    let current = true
    void isFree(text).then(() => {
      const free = known(text)
      if (!current || free === undefined) return
      setRound((n) => n + 1)
      onKnown(free)
    })
    return () => {
      current = false
    }
    // Only a new text needs a new check.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [text])
  return text.trim() === '' ? null : (known(text) ?? null)
}
