import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import type { CaseCalls, CaseSubject } from '../../shared/cases.ts'
import type { ResponseOf } from '../../shared/endpoint.ts'
import { call } from '../call.ts'
import { useResponse } from '../query.ts'
import { caseKey } from './read.ts'

/** Interval at which a screen reports an open case, in milliseconds. */
const BEAT_MS = 15_000
/** Interval at which a list reloads who has cases open, in milliseconds. A closed browser sends no event. */
const RELOAD_MS = 4000
/** Time without typing after which a person only views the case, in milliseconds. */
const PAUSE_MS = 120_000

export type Present = ResponseOf<CaseCalls['present']>['people'][number]

/** Returns the other staff who have cases open, by `caseKey`. Events of the cases reload them (`useFreshCases`). */
export function usePresent(of: CaseCalls): ReadonlyMap<string, readonly Present[]> {
  const { data } = useResponse(of.present, {}, { refetchInterval: (one) => (one?.people.length ? RELOAD_MS : false) })
  return useMemo(() => {
    const present = new Map<string, Present[]>()
    for (const person of data?.people ?? []) {
      const key = caseKey(person.id, person.companyId)
      present.set(key, [...(present.get(key) ?? []), person])
    }
    return present
  }, [data])
}

/** Tells other staff that this case is open, and whether the person writes an answer. `answer` is the typed text. */
export function useNotePresence(of: CaseCalls, { companyId, subjectId }: CaseSubject, answer: string): void {
  const [screen] = useState(() => crypto.randomUUID())
  const [text, setText] = useState(answer)
  const [isWriting, setWriting] = useState(false)
  if (answer !== text) {
    setText(answer)
    setWriting(answer !== '')
  }
  useEffect(() => {
    if (!isWriting) return
    const timer = setTimeout(() => setWriting(false), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [isWriting, answer])
  const note = useEffectEvent((state: 'viewing' | 'writing' | 'gone') => {
    const body = { subjectId, ...(companyId !== undefined && { companyId }), state, screen }
    // Without the report, only the mark on other screens is missing.
    call(of.presence, body).catch(() => {})
  })
  useEffect(() => {
    const beat = () => document.visibilityState === 'visible' && note(isWriting ? 'writing' : 'viewing')
    beat()
    const timer = setInterval(beat, BEAT_MS)
    return () => clearInterval(timer)
  }, [isWriting])
  useEffect(() => () => note('gone'), [])
}
