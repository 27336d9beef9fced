import { type ReactNode, useId } from 'react'
import type { FieldValues } from 'react-hook-form'
import { CloseAction, SlideOut } from './Dialog.tsx'
import { Form } from './Form.tsx'
import type { ZodForm } from './form.ts'
import { FormButtons } from './FormButtons.tsx'

interface FormSlideOutProps<In extends FieldValues, Out> {
  title: ReactNode
  form: ZodForm<In, Out>
  /** Label of the submit button. Defaults to 'Save'. */
  save?: ReactNode
  /** False for people with permission to view but not to edit. They see only a close button. */
  mayEdit?: boolean
  onSubmit: (values: Out) => Promise<void> | void
  onClose: () => void
  children: ReactNode
}

/** Form in a panel on the right side, with buttons below. */
export function FormSlideOut<In extends FieldValues, Out>({
  title,
  form,
  save,
  mayEdit = true,
  onSubmit,
  onClose,
  children,
}: FormSlideOutProps<In, Out>) {
  const id = useId()
  return (
    <SlideOut
      title={title}
      onClose={onClose}
      locked={form.formState.isSubmitting}
      actions={
        mayEdit ? <FormButtons form={form} id={id} save={save} onClose={onClose} /> : <CloseAction onClose={onClose} />
      }
    >
      <Form id={id} form={form} onSubmit={onSubmit}>
        {children}
      </Form>
    </SlideOut>
  )
}
