import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { call, messageOf } from '../../../web/call.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { confirmRegistration } from '../contract.ts'
import { reloadOwn } from './fresh.ts'

/**
 * Button with which the owner confirms, in one click, that a registration is unchanged. The confirmation is valid for
 * another year.
 */
export function ConfirmButton({ id }: { id: number }) {
  const [busy, setBusy] = useState(false)
  const confirm = async () => {
    setBusy(true)
    try {
      toast((await call(confirmRegistration, { id })).message)
      await reloadOwn()
    } catch (error) {
      toast(messageOf(error), 'danger')
    }
    setBusy(false)
  }
  return (
    <Button variant="primary" busy={busy} onClick={() => void confirm()}>
      <Trans>Confirm without changes</Trans>
    </Button>
  )
}
