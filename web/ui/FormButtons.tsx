import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { dropDraft } from '../drafts.ts'
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

/** Closes what is filled in by hand, and drops what was typed. */
export const DiscardButton = (props: { draft: string; disabled?: boolean; onClose: () => void }) => (
  <Button
    disabled={props.disabled}
    onClick={() => {
      dropDraft(props.draft)
      props.onClose()
    }}
  >
    <Trans>Discard</Trans>
  </Button>
)

interface ActionsProps {
  form: { formState: { isSubmitting: boolean } }
  /** What the first button says: what it does, and that it is at work. */
  submit: ReactNode
  busyLabel: ReactNode
  danger?: boolean | undefined
  onCancel: () => void
}

/** The buttons at the end of a small form in a page: what it does, and Cancel. */
export const FormActions = ({ form, submit, busyLabel, danger, onCancel }: ActionsProps) => (
  <div className="flex flex-wrap gap-2">
    <Button type="submit" look={danger ? 'danger' : 'primary'} busy={form.formState.isSubmitting} busyLabel={busyLabel}>
      {submit}
    </Button>
    <Button onClick={onCancel}>
      <Trans>Cancel</Trans>
    </Button>
  </div>
)

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
