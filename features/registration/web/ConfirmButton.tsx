import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { call, sentenceOf } from '../../../web/call.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { confirmRegistration } from '../contract.ts'
import { reloadMine } from './fresh.ts'

/** One press a year, where everything is as it was. */
export function ConfirmButton({ id }: { id: number }) {
  const [busy, setBusy] = useState(false)
  const press = async () => {
    setBusy(true)
    try {
      toast((await call(confirmRegistration, { id })).message)
      await reloadMine()
    } catch (error) {
      toast(sentenceOf(error), 'danger')
    }
    setBusy(false)
  }
  return (
    <Button look="primary" busy={busy} onClick={() => void press()}>
      <Trans>Nothing has changed</Trans>
    </Button>
  )
}
