import { useState } from 'react'
import { writeDraft } from './drafts.ts'
import { useStepHistory } from './use-step-history.ts'

interface DraftSteps<D> {
  draft: D
  /** True if the person has changed the step on this screen. */
  moved: boolean
  /** Shows a step with its entries, and saves them as a draft. */
  to: (next: D) => void
}

/** State of a form in steps: a draft with its current step. Each step is a history entry. */
export function useDraftSteps<D extends { step: string }>(
  name: string,
  owner: string,
  initial: () => D,
): DraftSteps<D> {
  const [draft, setDraft] = useState(initial)
  const [moved, setMoved] = useState(false)
  const show = (next: D) => {
    setMoved(true)
    setDraft(next)
    writeDraft(name, next, owner)
  }
  const enter = useStepHistory<D['step']>(name, draft.step, (step) => show({ ...draft, step }))
  const to = (next: D) => {
    enter(next.step)
    show(next)
  }
  return { draft, moved, to }
}
