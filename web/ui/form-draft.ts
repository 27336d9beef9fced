import { useState, useEffectEvent, useEffect } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { draftOwner, readDraft, writeDraft, dropDraft } from '../drafts.ts'

export type StoredValues = Record<string, unknown>

/** Key under which a draft stores its basis, which is the stored values that the draft started from. */
const BASIS = ' basis'

export type FormDraft = ReturnType<typeof useDraft>

/** Loads a form's draft: the values that the person typed before, and the stored values that they were based on. */
export function useDraft(
  settings: { name: string; leaveOut?: readonly string[] } | undefined,
  input: StoredValues | undefined,
) {
  const [owner] = useState(draftOwner)
  const [{ typed, draftBasis }, setDraft] = useState(() => {
    const { [BASIS]: from, ...values } = (settings && readDraft<StoredValues>(settings.name, owner)) ?? {}
    return { typed: values, draftBasis: from as StoredValues | undefined }
  })
  const [basis, rebase] = useState(draftBasis ?? input)
  const name = settings?.name
  return {
    name,
    owner,
    typed,
    draftSource: draftBasis,
    basis,
    rebase,
    exists: () => Boolean(name && readDraft(name, owner)),
    store: (values: StoredValues, from = basis) => {
      if (!name) return
      const without = new Set(settings?.leaveOut)
      const stored = Object.entries(values).filter(([key]) => !without.has(key))
      writeDraft(name, { ...Object.fromEntries(stored), ...(from && { [BASIS]: from }) }, owner)
    },
    /** Deletes the stored draft. */
    drop: () => {
      if (name) dropDraft(name, owner)
    },
    /** Forgets the values that came from the draft. */
    reset: () => setDraft({ typed: {}, draftBasis: undefined }),
  }
}

/** Stores each change of the form in its draft. */
export function useDraftSync<Values extends FieldValues, Output>(
  form: UseFormReturn<Values, unknown, Output>,
  draft: FormDraft,
): void {
  const store = useEffectEvent((values: StoredValues, isDirty: boolean | undefined) => {
    // If a value changes back to the stored value, the draft must change too.
    if (isDirty || draft.exists()) draft.store(values)
  })
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true, isDirty: true },
        callback: ({ values, isDirty }) => store(values, isDirty),
      }),
    [form],
  )
}
