import { Trans } from '@lingui/react/macro'
import { KeyRound } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { call, sentenceOf } from '../../../web/call.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { passkeySignIn } from '../../factors/contract.ts'
import type { SessionBegun } from '../../../shared/accounts.ts'
import { askForPasskey, knowsAutofill, knowsPasskeys, stopAsking, wasDismissed } from './passkeys.ts'

/** A question in the field is asked anew before the server forgets it (5 minutes). */
const ASK_AGAIN_MS = 4 * 60_000

interface PasskeyButtonProps {
  onSession: (session: SessionBegun) => void
  disabled?: boolean
}

/** Signs in with a passkey: by the button, or by choosing one in the field for the email where the browser offers that. */
export default function PasskeyButton({ onSession, disabled }: PasskeyButtonProps) {
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const pressed = useRef(false)
  const ask = async (byButton: boolean) => {
    // Nobody asked for what waits in the field: it says nothing until a passkey was chosen there.
    let chosen = byButton
    pressed.current = byButton
    setBusy(byButton)
    try {
      const answer = await askForPasskey(byButton ? {} : { inField: () => !pressed.current })
      if (!answer) return
      chosen = true
      setBusy(true)
      setRefusal(null)
      onSession(await call(passkeySignIn, answer))
    } catch (error) {
      if (chosen && !wasDismissed(error)) setRefusal(sentenceOf(error))
    } finally {
      if (chosen) setBusy(false)
      if (byButton) pressed.current = false
    }
  }
  const waitInField = useEffectEvent(() => {
    if (!pressed.current) void ask(false)
  })
  useEffect(() => {
    let gone = false
    let timer: ReturnType<typeof setInterval> | undefined
    void knowsAutofill().then((known) => {
      if (!known || gone) return
      waitInField()
      timer = setInterval(waitInField, ASK_AGAIN_MS)
    })
    return () => {
      gone = true
      clearInterval(timer)
      if (knowsPasskeys()) void stopAsking()
    }
  }, [])
  if (!knowsPasskeys()) return null
  return (
    <div className="mt-4 flex flex-col gap-4">
      {refusal && (
        <Notice tone="danger">
          <span role="alert">{refusal}</span>
        </Notice>
      )}
      <Button
        wide
        icon={KeyRound}
        disabled={disabled}
        busy={busy}
        busyLabel={<Trans>Waiting for your passkey...</Trans>}
        onClick={() => {
          setRefusal(null)
          void ask(true)
        }}
      >
        <Trans>Sign in with a passkey</Trans>
      </Button>
    </div>
  )
}
