import { Trans } from '@lingui/react/macro'
import { type ReactNode, useId } from 'react'
import type { FieldValues } from 'react-hook-form'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { Form } from './Form.tsx'
import type { ZodForm } from './form.ts'

interface FormDialogProps<In extends FieldValues, Out> {
  title: ReactNode
  form: ZodForm<In, Out>
  /** Label of the submit button, by default 'Save', and its label while busy. */
  submit?: ReactNode
  busyLabel?: ReactNode
  danger?: boolean
  /**
   * Saves the values. If it succeeds, the dialog closes. If it fails, the dialog shows the error and keeps the typed
   * values.
   */
  onSubmit: (values: Out) => Promise<unknown>
  onClose: () => void
  children: ReactNode
}

/** A short form in a dialog, with a submit and a cancel button. */
export function FormDialog<In extends FieldValues, Out>({
  title,
  form,
  submit = <Trans>Save</Trans>,
  busyLabel,
  danger = false,
  onSubmit,
  onClose,
  children,
}: FormDialogProps<In, Out>) {
  const id = useId()
  const busy = form.formState.isSubmitting
  return (
    <Dialog
      title={title}
      onClose={onClose}
      locked={busy}
      actions={
        <>
          <Button type="submit" form={id} variant={danger ? 'danger' : 'primary'} busy={busy} busyLabel={busyLabel}>
            {submit}
          </Button>
          <Button onClick={onClose} disabled={busy}>
            <Trans>Go back</Trans>
          </Button>
        </>
      }
    >
      <Form
        id={id}
        form={form}
        onSubmit={async (values) => {
          await onSubmit(values)
          onClose()
        }}
      >
        {children}
      </Form>
    </Dialog>
  )
}
