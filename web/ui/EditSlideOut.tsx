import type { FieldValues, DefaultValues } from 'react-hook-form'
import type { ReactNode } from 'react'
import type * as z from 'zod/mini'
import { type ZodForm, useZodForm } from './form.ts'
import { toast } from './Toasts.tsx'
import { FormSlideOut } from './FormSlideOut.tsx'

interface EditSlideOutProps<In extends FieldValues, Out, Saved extends { message: string }> {
  title: ReactNode
  rules: z.ZodMiniType<Out, In>
  /** Stored values of the record, or the initial values of a new record. */
  start: In
  isNew: boolean
  /** Name of the draft. */
  draft: string
  mayEdit?: boolean
  /** Saves the record. `basis` has the stored values that the form is based on, undefined for a new record. */
  onSave: (values: Out, basis: Record<string, unknown> | undefined) => Promise<Saved>
  /** Reloads the data of the screen that shows the record. */
  refresh: () => Promise<unknown>
  /** Called after the save. Closes the panel by default. */
  onSaved?: (saved: Saved) => void
  onClose: () => void
  children: (form: ZodForm<In, Out>) => ReactNode
}

/** Panel that adds a record or changes a stored one, which another person may change at the same time. */
export function EditSlideOut<In extends FieldValues, Out, Saved extends { message: string }>({
  title,
  rules,
  start,
  isNew,
  draft,
  mayEdit = true,
  onSave,
  refresh,
  onClose,
  onSaved = onClose,
  children,
}: EditSlideOutProps<In, Out, Saved>) {
  const form = useZodForm(rules, {
    defaultValues: start as DefaultValues<In>,
    ...(!isNew && { basis: { ...start } }),
    draft: { name: draft },
  })
  const save = async (values: Out) => {
    const saved = await onSave(values, isNew ? undefined : form.basis)
    toast(saved.message)
    await refresh()
    onSaved(saved)
  }
  return (
    <FormSlideOut title={title} form={form} mayEdit={mayEdit} onSubmit={save} onClose={onClose}>
      {children(form)}
    </FormSlideOut>
  )
}
