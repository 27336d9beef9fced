import { Trans } from '@lingui/react/macro'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { call, sentenceOf } from '../../../web/call.ts'
import { go, setQuery } from '../../../web/go.ts'
import { takeTrip } from '../../../web/sso-trip.ts'
import { verifySso } from '../contract.ts'
import { arrive, keepTrial, type CallbackInput } from './arrive.ts'
import { headings, Narrow, Stopped, Working } from './Stopped.tsx'

const PARTS = ['state', 'code', 'iss', 'error'] as const
const OTHERS = { error_description: null, session_state: null, scope: null }

/** Where the issuer sends people back to (specification 2.2). Shown while the server checks what they bring. */
export default function SsoVerificationScreen() {
  const [stopped, setStopped] = useState<ReactNode>(null)
  const begun = useRef(false)
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    const query = new URLSearchParams(location.search)
    const given = Object.fromEntries(PARTS.flatMap((name) => (query.has(name) ? [[name, query.get(name)]] : [])))
    // What signs somebody in stays out of the history.
    setQuery({ ...Object.fromEntries(PARTS.map((name) => [name, null])), ...OTHERS })
    const trip = takeTrip()
    if (!trip || !given['state'])
      return setStopped(<Trans>There is no sign-in under way in this window. Start again from the sign-in page.</Trans>)
    const returned = { ...given, browser: trip.browser } as CallbackInput
    if (trip.trial) {
      keepTrial(returned)
      return go(trip.trial, { replace: true })
    }
    call(verifySso, returned).then(arrive, (error: unknown) => setStopped(sentenceOf(error)))
  }, [])
  return (
    <Narrow title={stopped ? headings.stopped : headings.working}>
      {stopped ? <Stopped sentence={stopped} /> : <Working />}
    </Narrow>
  )
}
