import { useEffect, useState } from 'react'
import { plainName } from '../../companies/rules.ts'

/** While somebody types, the server is left in peace this long. */
const TYPING_MS = 300

export interface Uniqueness {
  /** Is this text free? Asked once for each text, when the typing pauses; one that is typed over counts as free. */
  isFree: (text: string) => Promise<boolean>
  /** What is known already of a text, without asking. */
  known: (text: string) => boolean | undefined
  /** Asks anew for every text from now on. */
  forget: () => void
}

interface PendingCheck {
  key: string
  free: Promise<boolean>
}

/** @param ask the server's answer; when it can't be had the text counts as free, since the server checks again on saving */
export function uniqueness(ask: (text: string) => Promise<boolean>): Uniqueness {
  const answers = new Map<string, Promise<boolean>>()
  const known = new Map<string, boolean>()
  /** What was typed last and waits for the typing to pause; whoever asks for the same text waits with it. */
  let waiting: PendingCheck | null = null
  const keyOf = (text: string) => plainName(text).toLowerCase()

  const answer = (key: string): Promise<boolean> => {
    const asked = answers.get(key) ?? ask(key).then((free) => (known.set(key, free), free))
    answers.set(key, asked)
    asked.catch(() => answers.delete(key))
    return asked.catch(() => true)
  }
  return {
    known: (text) => known.get(keyOf(text)),
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

/** Asks while somebody types. `null`: not known (yet), or nothing typed. */
export function useIsFree(
  { isFree, known }: Uniqueness,
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
    // Only another text is another question.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [text])
  return text.trim() === '' ? null : (known(text) ?? null)
}
