import { Trans } from '@lingui/react/macro'
import { KeyRound } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { call, messageOf } from '../../../web/call.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Refusal } from '../../../web/ui/Notice.tsx'
import { passkeySignIn } from '../../factors/contract.ts'
import type { StartedSession } from '../../../shared/accounts.ts'
import { promptPasskey, knowsAutofill, knowsPasskeys, cancelPasskeyRequest, wasDismissed } from './passkeys.ts'

/**
 * Interval at which the autofill prompt is renewed, in milliseconds. The server's challenge expires after 5 minutes.
 */
const RENEW_MS = 4 * 60_000

interface PasskeyButtonProps {
  onSession: (session: StartedSession) => void
  disabled?: boolean
}

/** Sign-in with a passkey, by a button or by browser autofill in the email field. */
export default function PasskeyButton({ onSession, disabled }: PasskeyButtonProps) {
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const isByButton = useRef(false)
  const requestPasskey = async (byButton: boolean) => {
    // The autofill prompt opens without a click. So no error is shown until the person picks a passkey.
    let chosen = byButton
    isByButton.current = byButton
    setBusy(byButton)
    try {
      const response = await promptPasskey(byButton ? {} : { inField: () => !isByButton.current })
      if (!response) return
      chosen = true
      setBusy(true)
      setRefusal(null)
      onSession(await call(passkeySignIn, response))
    } catch (error) {
      if (chosen && !wasDismissed(error)) setRefusal(messageOf(error))
    } finally {
      if (chosen) setBusy(false)
      if (byButton) isByButton.current = false
    }
  }
  const waitInField = useEffectEvent(() => {
    if (!isByButton.current) void requestPasskey(false)
  })
  useEffect(() => {
    let gone = false
    let timer: ReturnType<typeof setInterval> | undefined
    void knowsAutofill().then((isSupported) => {
      if (!isSupported || gone) return
      waitInField()
      timer = setInterval(waitInField, RENEW_MS)
    })
    return () => {
      gone = true
      clearInterval(timer)
      if (knowsPasskeys()) void cancelPasskeyRequest()
    }
  }, [])
  if (!knowsPasskeys()) return null
  return (
    <div className="mt-4 flex flex-col gap-4">
      <Refusal>{refusal}</Refusal>
      <Button
        wide
        icon={KeyRound}
        disabled={disabled}
        busy={busy}
        busyLabel={<Trans>Waiting for your passkey...</Trans>}
        onClick={() => {
          setRefusal(null)
          void requestPasskey(true)
        }}
      >
        <Trans>Sign in with a passkey</Trans>
      </Button>
    </div>
  )
}
