import { Trans } from '@lingui/react/macro'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { call, sentenceOf } from '../../../web/call.ts'
import { takeHandOff } from '../contract.ts'
import { type HandoffRefusal, handOffRefusals } from '../rules.ts'
import { arrive } from './arrive.ts'
import { headings, Narrow, Stopped, Working } from './Stopped.tsx'

/** Where a billing system's hand-off ends up (specification 2.2): with a code behind the #, with a reason, or by hand. */
export default function HandOffScreen() {
  const [code] = useState(() => location.hash.slice(1))
  const [refused] = useState(() => new URLSearchParams(location.search).get('refused'))
  const [stopped, setStopped] = useState<ReactNode>(null)
  const begun = useRef(false)
  useEffect(() => {
    if (begun.current || !code) return
    begun.current = true
    history.replaceState(history.state, '', location.pathname)
    call(takeHandOff, { code }).then(arrive, (error: unknown) => setStopped(sentenceOf(error)))
  }, [code])
  const sentence = stopped ?? (code ? null : sentenceFor(refused))
  return (
    <Narrow title={sentence ? headings.stopped : headings.working}>
      {sentence ? <Stopped sentence={sentence} /> : <Working />}
    </Narrow>
  )
}

const sentenceFor = (refused: string | null): ReactNode =>
  refused !== null && Object.hasOwn(handOffRefusals, refused) ? (
    handOffRefusals[refused as HandoffRefusal]
  ) : (
    <Trans>
      This page is opened by your billing system when you come from there. Sign in here with your email and password.
    </Trans>
  )
