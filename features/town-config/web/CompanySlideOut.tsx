import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { FieldValues } from 'react-hook-form'
import { Button } from '../../../web/ui/Button.tsx'
import { Dialog, SlideOut } from '../../../web/ui/Dialog.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import type { ZodForm } from '../../../web/ui/form.ts'
import { FormButtons } from '../../../web/ui/FormButtons.tsx'

interface CompanySlideOutProps<Values extends FieldValues, Output> {
  /** Id of the form, because its Save button is outside the form. */
  id: string
  title: ReactNode
  form: ZodForm<Values, Output>
  onSave: (values: Output) => Promise<void>
  onClose: () => void
  children: ReactNode
}

/** Form for a company in a slide-out, with Save and Discard buttons. Discard deletes the draft. */
export function CompanySlideOut<Values extends FieldValues, Output>({
  id,
  title,
  form,
  onSave,
  onClose,
  children,
}: CompanySlideOutProps<Values, Output>) {
  const { isSubmitting } = form.formState
  return (
    <SlideOut
      title={title}
      onClose={onClose}
      locked={isSubmitting}
      actions={<FormButtons form={form} id={id} onClose={onClose} />}
    >
      <Form id={id} form={form} onSubmit={onSave}>
        {children}
      </Form>
    </SlideOut>
  )
}

interface RefusedProps {
  /** Title of the dialog. Defaults to 'Error' (spec 8.3). */
  title?: ReactNode
  message: string
  onClose: () => void
}

/** Dialog with the server's error message. The form keeps the typed values. */
export const Refused = ({ title, message, onClose }: RefusedProps) => (
  <Dialog
    title={title ?? <Trans>Error</Trans>}
    onClose={onClose}
    actions={
      <Button variant="primary" onClick={onClose}>
        <Trans>Back to the form</Trans>
      </Button>
    }
  >
    <p>{message}</p>
  </Dialog>
)

/** Dialog with the server's success message (spec 8.3). */
export const Done = ({ message, onClose }: { message: string; onClose: () => void }) => (
  <Dialog
    title={<Trans>Success</Trans>}
    onClose={onClose}
    actions={
      <Button variant="primary" onClick={onClose}>
        <Trans>Close</Trans>
      </Button>
    }
  >
    <p>{message}</p>
  </Dialog>
)

/** Slide-out that is shown while data loads or after loading fails. */
export const LoadingSlideOut = ({
  title,
  onClose,
  children,
}: {
  title: ReactNode
  onClose: () => void
  children: ReactNode
}) => (
  <SlideOut title={title} onClose={onClose}>
    {children}
  </SlideOut>
)
