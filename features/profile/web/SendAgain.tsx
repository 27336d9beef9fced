import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { call, CallError, messageOf } from '../../../web/call.ts'
import { renameSession } from '../../../web/session.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { sendConfirmation } from '../../identity/contract.ts'

/** Button that resends the email confirmation link. */
export function SendAgain() {
  const [busy, setBusy] = useState(false)
  const send = async () => {
    setBusy(true)
    try {
      toast((await call(sendConfirmation, {})).message)
    } catch (error) {
      // The person already confirmed the email in another window.
      if (error instanceof CallError && error.code === 'confirmed') renameSession({ confirmed: true })
      toast(messageOf(error), error instanceof CallError && error.code === 'confirmed' ? 'info' : 'danger')
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button size="small" busy={busy} busyLabel={<Trans>Sending...</Trans>} onClick={() => void send()}>
      <Trans>Resend email</Trans>
    </Button>
  )
}
