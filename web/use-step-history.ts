import { useEffect, useRef } from 'react'
import { entryState, newEntry } from './router/entry-state.ts'

/** Returns the step of a form in the current history entry, for example after a reload. Undefined without one. */
export const stepOfEntry = <S>(form: string): S | undefined =>
  entryState().steps?.find(([name]) => name === form)?.[1] as S | undefined

/**
 * Makes each step of a form a history entry. The Back button of the browser then shows the previous step, and not
 * another page.
 * @param form name of the form. Null for a form without history entries, for example a preview
 * @param onReturn shows a step to which the person returned
 * @returns function that adds the entry of the next step. Call it before the form shows that step
 */
export function useStepHistory<S extends string | number>(
  form: string | null,
  step: S,
  onReturn: (step: S) => void,
): (next: S) => void {
  const show = useRef(onReturn)
  useEffect(() => {
    show.current = onReturn
  })
  useEffect(() => {
    const returned = () => {
      const next = form === null ? undefined : stepOfEntry<S>(form)
      if (next !== undefined && next !== step) show.current(next)
    }
    addEventListener('popstate', returned)
    return () => removeEventListener('popstate', returned)
  }, [form, step])
  return (next) => {
    if (form === null || next === step) return
    const { steps = [] } = entryState()
    const own = steps.findIndex(([name]) => name === form)
    const outer = own < 0 ? steps : steps.slice(0, own)
    // The first entry has no step yet.
    if (own < 0) history.replaceState({ ...entryState(), steps: [...outer, [form, step]] }, '')
    history.pushState({ ...newEntry(), steps: [...outer, [form, next]] }, '')
  }
}
