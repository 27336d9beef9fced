import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { call, CallError, sentenceOf } from '../../../web/call.ts'
import { renameSession } from '../../../web/session.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { sendConfirmation } from '../contract.ts'

/** Mails the link that confirms the email once more. */
export function SendAgain() {
  const [busy, setBusy] = useState(false)
  const send = async () => {
    setBusy(true)
    try {
      toast((await call(sendConfirmation, {})).message)
    } catch (error) {
      // Confirmed in another window.
      if (error instanceof CallError && error.code === 'confirmed') renameSession({ confirmed: true })
      toast(sentenceOf(error), error instanceof CallError && error.code === 'confirmed' ? 'info' : 'danger')
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button size="small" busy={busy} busyLabel={<Trans>Sending...</Trans>} onClick={() => void send()}>
      <Trans>Send again</Trans>
    </Button>
  )
}
