import { Trans } from '@lingui/react/macro'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { call, messageOf } from '../../../web/call.ts'
import { redeemHandOff } from '../contract.ts'
import { type HandoffRefusal, handOffRefusals } from '../rules.ts'
import { arrive } from './arrive.ts'
import { headings, Narrow, Stopped, Working } from './Stopped.tsx'

/**
 * Screen that opens after a hand-off from a billing system (spec 2.2). The URL contains a code in its fragment, or the
 * reason for a refusal. It contains neither if the person opens the page directly.
 */
export default function HandOffScreen() {
  const [code] = useState(() => location.hash.slice(1))
  const [refused] = useState(() => new URLSearchParams(location.search).get('refused'))
  const [stopped, setStopped] = useState<ReactNode>(null)
  const started = useRef(false)
  useEffect(() => {
    if (started.current || !code) return
    started.current = true
    history.replaceState(history.state, '', location.pathname)
    call(redeemHandOff, { code }).then(arrive, (error: unknown) => setStopped(messageOf(error)))
  }, [code])
  const message = stopped ?? (code ? null : messageFor(refused))
  return (
    <Narrow title={message ? headings.stopped : headings.working}>
      {message ? <Stopped message={message} /> : <Working />}
    </Narrow>
  )
}

const messageFor = (refused: string | null): ReactNode =>
  refused !== null && Object.hasOwn(handOffRefusals, refused) ? (
    handOffRefusals[refused as HandoffRefusal]
  ) : (
    <Trans>
      This page works only when you sign in through your utility billing website. To sign in here, use your email and
      password.
    </Trans>
  )
