import type { FieldValues } from 'react-hook-form'
import { type BaseSyntheticEvent, type RefObject, useRef, useState } from 'react'
import { type ZodForm, editConflictOf, showRefusal, sentencesIn } from './form.ts'
import type { FormErrors } from './form-errors.ts'
import type { FormConflict } from './FieldConflicts.tsx'

interface SubmissionInput<Values extends FieldValues, Output> {
  form: ZodForm<Values, Output>
  onSubmit: (values: Output) => Promise<void> | void
  onInvalid: ((sentences: string[]) => Promise<void> | void) | undefined
  keepDraft: boolean | undefined
  element: RefObject<HTMLFormElement | null>
  formErrors: FormErrors
}

/** Sends a form. Shows the server's error, or the conflict with another person's change. */
export function useSubmission<Values extends FieldValues, Output>(input: SubmissionInput<Values, Output>) {
  const { form, onSubmit, onInvalid, keepDraft, element, formErrors } = input
  const refused = useRef(false)
  const [conflict, setConflict] = useState<FormConflict | null>(null)
  const [unchosen, setUnchosen] = useState(false)
  const submit = form.handleSubmit(
    async (values) => {
      formErrors.clear()
      refused.current = false
      if (conflict && !conflict.isFinished) {
        refused.current = true
        return setUnchosen(true)
      }
      form.follow(true)
      try {
        await onSubmit(values)
        setConflict(null)
        if (!keepDraft) form.saved()
      } catch (error) {
        form.follow(false)
        const changed = editConflictOf(error)
        setUnchosen(false)
        setConflict(changed && element.current && { ...changed, own: form.getValues(), isFinished: false })
        if (changed) return
        refused.current = true
        showRefusal(form, error)
      } finally {
        form.finish()
      }
    },
    (errors) => {
      refused.current = true
      return onInvalid?.(sentencesIn(errors).map(({ message }) => message))
    },
  )
  return {
    conflict,
    /** True if the person sent the form without choosing between two conflicting changes. */
    unchosen,
    resolveConflict: () => setConflict(conflict && { ...conflict, isFinished: true }),
    submit: async (event: BaseSyntheticEvent) => {
      await submit(event)
      // The form must show its errors before the code can find and focus them.
      if (refused.current) formErrors.showNext()
    },
  }
}
