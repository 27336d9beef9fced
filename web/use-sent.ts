import { useState } from 'react'
import { draftOwner } from './drafts.ts'
import { type EntryState, entryState } from './router/entry-state.ts'

/** Changes the response in the history entry. The next form starts at its first step. */
function store(sent: EntryState['sent']): void {
  const { sent: _sent, steps: _steps, ...entry } = entryState()
  history.replaceState(sent ? { ...entry, sent } : entry, '')
}

// A person who opens the URL again wants to send another form. The browser uses the same history entry.
const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
if (load?.type === 'navigate' && entryState().sent) store(undefined)

/**
 * Returns the response to the form of this page, and a function that sets it. Null before the form is sent. The browser
 * keeps the response with its history entry, so the confirmation survives a reload. Only the person who sent the form
 * sees it.
 * @param name of the form
 * @param initial response to a form that was sent without JavaScript
 */
export function useSent<T>(name: string, initial: T | null = null): [T | null, (response: T | null) => void] {
  const [sent, setSent] = useState<T | null>(() => {
    const { sent: last } = entryState()
    return last?.name === name && last.owner === draftOwner() ? (last.response as T) : initial
  })
  const change = (response: T | null) => {
    store(response === null ? undefined : { name, owner: draftOwner(), response })
    setSent(response)
  }
  return [sent, change]
}
