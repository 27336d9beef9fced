import { Trans, useLingui } from '@lingui/react/macro'
import { abortPendingCalls, useLateSave } from '../send-once.ts'
import { Notice } from './Notice.tsx'
import { toast } from './Toasts.tsx'

/** Notice in a form that the response to a save is late and that the portal retries. */
export const LateSave = () =>
  useLateSave() && (
    <Notice tone="warning" title={<Trans>No response yet</Trans>}>
      <span role="status">
        <Trans>
          We are sending your entries again. Nothing will be saved twice. You can wait here, or leave and check later
          whether they were saved.
        </Trans>
      </span>
    </Notice>
  )

/**
 * Wraps the function that closes a form. If the person closes the form before a late response arrives, a message says
 * that the save is uncertain.
 */
export function useLeaving(onClose: () => void): { isLate: boolean; leave: () => void } {
  const { t } = useLingui()
  const isLate = useLateSave()
  const leave = () => {
    if (isLate) {
      abortPendingCalls()
      toast(t`We did not get a response. Check whether your entries were saved before you enter them again.`, 'danger')
    }
    onClose()
  }
  return { isLate, leave }
}
