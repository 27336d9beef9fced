import { Trans } from '@lingui/react/macro'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { call, messageOf } from '../../../web/call.ts'
import { go, setQuery } from '../../../web/go.ts'
import { takeTrip } from '../../../web/sso-trip.ts'
import { verifySso } from '../contract.ts'
import { arrive, storeTrial, type CallbackInput } from './arrive.ts'
import { headings, Narrow, Stopped, Working } from './Stopped.tsx'

const PARTS = ['state', 'code', 'iss', 'error'] as const
const OTHERS = { error_description: null, session_state: null, scope: null }

/** Screen to which the issuer redirects (spec 2.2). Shown while the server verifies the response. */
export default function SsoVerificationScreen() {
  const [stopped, setStopped] = useState<ReactNode>(null)
  const started = useRef(false)
  useEffect(() => {
    if (started.current) return
    started.current = true
    const query = new URLSearchParams(location.search)
    const params = Object.fromEntries(PARTS.flatMap((name) => (query.has(name) ? [[name, query.get(name)]] : [])))
    // Removes the sign-in parameters from the browser history.
    setQuery({ ...Object.fromEntries(PARTS.map((name) => [name, null])), ...OTHERS })
    const trip = takeTrip()
    if (!trip || !params['state'])
      return setStopped(<Trans>No sign-in is in progress in this window. Start again from the sign-in page.</Trans>)
    const returned = { ...params, browser: trip.browser } as CallbackInput
    if (trip.trial) {
      storeTrial(returned)
      return go(trip.trial, { replace: true })
    }
    call(verifySso, returned).then(arrive, (error: unknown) => setStopped(messageOf(error)))
  }, [])
  return (
    <Narrow title={stopped ? headings.stopped : headings.working}>
      {stopped ? <Stopped message={stopped} /> : <Working />}
    </Narrow>
  )
}
