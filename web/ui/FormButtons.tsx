import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { dropDraft } from '../drafts.ts'
import { Button } from './Button.tsx'
import { forgetDraft } from './form.ts'
import { useLeaving } from './LateSave.tsx'

interface ButtonsProps {
  form: { formState: { isSubmitting: boolean }; draftName: string | undefined; draftOwner: string }
  /** Id of the form, because the buttons are outside the form. */
  id: string
  /** Label of the first button. Defaults to 'Save'. */
  save?: ReactNode
  onClose: () => void
}

/**
 * Buttons below a form in a slide-out: Save and Discard. Discard deletes the draft, but closing the slide-out does not.
 */
export function FormButtons({ form, id, save, onClose }: ButtonsProps) {
  const { isSubmitting } = form.formState
  const { isLate, leave } = useLeaving(onClose)
  return (
    <>
      <Button type="submit" form={id} variant="primary" busy={isSubmitting} busyLabel={<Trans>Saving...</Trans>}>
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

/** Button that closes a form and deletes its draft. */
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
  /** Label of the first button, and its label while the form is being sent. */
  submit: ReactNode
  busyLabel: ReactNode
  danger?: boolean | undefined
  onCancel: () => void
}

/** Buttons at the end of a small form in a page: the action and Cancel. */
export const FormActions = ({ form, submit, busyLabel, danger, onCancel }: ActionsProps) => (
  <div className="flex flex-wrap gap-2">
    <Button
      type="submit"
      variant={danger ? 'danger' : 'primary'}
      busy={form.formState.isSubmitting}
      busyLabel={busyLabel}
    >
      {submit}
    </Button>
    <Button onClick={onCancel}>
      <Trans>Cancel</Trans>
    </Button>
  </div>
)

interface SubmitButtonProps {
  form: { formState: { isSubmitting: boolean } }
  /** True if the button stays busy after the submission, until the next screen appears. */
  busy?: boolean
  busyLabel: ReactNode
  children: ReactNode
}

/** Submit button of a form with only one action. The button is as wide as the fields. */
export const SubmitButton = ({ form, busy = false, ...rest }: SubmitButtonProps) => (
  <Button type="submit" variant="primary" wide busy={form.formState.isSubmitting || busy} {...rest} />
)
