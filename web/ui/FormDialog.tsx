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
  /** What the button says that sends it, where that is not 'Save', and while it is at work. */
  submit?: ReactNode
  busyLabel?: ReactNode
  danger?: boolean
  /** It closes after this. A refusal stands in the dialog, and nothing typed is lost. */
  onSubmit: (values: Out) => Promise<unknown>
  onClose: () => void
  children: ReactNode
}

/** A few fields in a dialog, with a button that sends them and one that goes back. */
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
          <Button type="submit" form={id} look={danger ? 'danger' : 'primary'} busy={busy} busyLabel={busyLabel}>
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
