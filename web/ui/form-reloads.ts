import type { FieldValues, UseFormReturn, DefaultValues, Path } from 'react-hook-form'
import { useState, useRef, useEffectEvent, useEffect } from 'react'
import type { FormDraft, StoredValues } from './form-draft.ts'
import { same } from '../../shared/edits.ts'

interface ReloadsInput {
  /** Current stored values. */
  input: StoredValues | undefined
  toFormValues: (stored: StoredValues) => Record<string, unknown>
  isDirty: boolean
}

/** Updates an open form after its stored values are reloaded, unless the person has typed. */
export function useReloads<Values extends FieldValues, Output>(
  form: UseFormReturn<Values, unknown, Output>,
  draft: FormDraft,
  { input, toFormValues, isDirty }: ReloadsInput,
) {
  const { basis, rebase, draftSource } = draft
  const [isSending, setSending] = useState(false)
  const following = useRef(false)
  /** Form values of the last save. Null after the stored values are reloaded. */
  const sent = useRef<StoredValues>(null)
  const inputText = JSON.stringify(input)
  /**
   * Handles a reload after the person's own save if the person has typed since then. The typed text stays. The person's
   * own saved values do not count as a change by someone else.
   */
  const goOnAfterSave = (now: StoredValues) => {
    if (!sent.current) return
    const from = { ...now }
    for (const [key, came] of Object.entries(toFormValues(now))) {
      const isTyped = !same(form.getValues(key as Path<Values>), sent.current[key])
      if (!isTyped) form.resetField(key as Path<Values>, { defaultValue: came as never })
      else if (basis && !same(came, sent.current[key])) from[key] = basis[key]
    }
    sent.current = null
    rebase(from)
    draft.store(form.getValues(), from)
  }
  const refresh = useEffectEvent(() => {
    // Until the server responds to a save, the form does not know whether the typed values are stored.
    if (!input || isSending || same(input, basis)) return
    // If the person has typed nothing, the form shows the new values. Otherwise, it keeps the typed text and its basis.
    if (!following.current && (isDirty || draftSource)) return goOnAfterSave(input)
    sent.current = null
    rebase(input)
    draft.reset()
    form.reset({ ...form.getValues(), ...toFormValues(input) } as DefaultValues<Values>)
    // The reset has stored a new draft, so the draft is deleted.
    draft.drop()
  })
  useEffect(() => refresh(), [inputText, isSending])
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: ({ type }) => {
          if (type === 'change') following.current = false
        },
      }),
    [form],
  )
  return {
    finish: () => setSending(false),
    follow: (on: boolean) => {
      following.current = on
      setSending(on)
      sent.current = on && input ? structuredClone(form.getValues()) : null
    },
    saved: () => {
      if (!(input && !following.current)) draft.drop()
    },
  }
}
