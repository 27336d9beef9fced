import type { FieldValues, UseFormReturn, DefaultValues, Path } from 'react-hook-form'
import { useState, useRef, useEffectEvent, useEffect } from 'react'
import type { FormDraft, StoredValues } from './form-draft.ts'
import { same } from '../../shared/edits.ts'

interface ReloadsInput {
  /** The stored values as they are now. */
  input: StoredValues | undefined
  toFormValues: (stored: StoredValues) => Record<string, unknown>
  isDirty: boolean
}

/** Shows stored values that are reloaded while the form is open, unless the person has typed. */
export function useReloads<Values extends FieldValues, Output>(
  form: UseFormReturn<Values, unknown, Output>,
  draft: FormDraft,
  { input, toFormValues, isDirty }: ReloadsInput,
) {
  const { basis, rebase, draftSource } = draft
  const [isSending, setSending] = useState(false)
  const following = useRef(false)
  /** The last saved values, until they are reloaded. */
  const sent = useRef<StoredValues>(null)
  const inputText = JSON.stringify(input)
  /**
   * Runs if the person typed before their own save was reloaded. Their text stays, and their saved values do not count
   * as a change by someone else.
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
    // Until a save is answered, the form does not know whether the typed values are stored.
    if (!input || isSending || same(input, basis)) return
    // A person who has typed nothing sees the new values. Others keep their text and its basis.
    if (!following.current && (isDirty || draftSource)) return goOnAfterSave(input)
    sent.current = null
    rebase(input)
    draft.reset()
    form.reset({ ...form.getValues(), ...toFormValues(input) } as DefaultValues<Values>)
    // Setting the new values triggered another draft, so it is deleted.
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
