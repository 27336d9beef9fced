import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { forgetDraft } from './form.ts'
import { useLeaving } from './LateSave.tsx'

interface ButtonsProps {
  form: { formState: { isSubmitting: boolean }; draftName: string | undefined; draftOwner: string }
  /** Of the form; its buttons stand outside of it. */
  id: string
  /** What the first one says, where that is not 'Save'. */
  save?: ReactNode
  onClose: () => void
}

/** The buttons under a form in a slide-out: Save, and Discard. Closing keeps what was typed; discarding does not. */
export function FormButtons({ form, id, save, onClose }: ButtonsProps) {
  const { isSubmitting } = form.formState
  const { isLate, leave } = useLeaving(onClose)
  return (
    <>
      <Button type="submit" form={id} look="primary" busy={isSubmitting} busyLabel={<Trans>Saving...</Trans>}>
        {save ?? <Trans>Save</Trans>}
      </Button>
      <Button
        disabled={isSubmitting && !isLate}
        onClick={() => {
          forgetDraft(form)
          leave()
        }}
      >
        <Trans>Discard</Trans>
      </Button>
    </>
  )
}

interface SubmitButtonProps {
  form: { formState: { isSubmitting: boolean } }
  /** Busy for longer than the form is sent: until the next screen is there. */
  busy?: boolean
  busyLabel: ReactNode
  children: ReactNode
}

/** The one button of a form that does one thing, as wide as its fields. */
export const SubmitButton = ({ form, busy = false, ...rest }: SubmitButtonProps) => (
  <Button type="submit" look="primary" wide busy={form.formState.isSubmitting || busy} {...rest} />
)
