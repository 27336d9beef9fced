import { Trans } from '@lingui/react/macro'
import { KeyRound } from 'lucide-react'
import { useEffect, useState } from 'react'
import { call, messageOf } from '../../../web/call.ts'
import { leaveFor } from '../../../web/sso-trip.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { ssoOptions, startSso } from '../../sso/contract.ts'

/**
 * Button such as "Sign in with County ID", if the company uses single sign-on. If its request fails, the password form
 * still works.
 */
export default function SsoSignIn() {
  const [label, setLabel] = useState<string | null>(null)
  const [state, setState] = useState<'ready' | 'leaving' | { failed: string }>('ready')
  useEffect(() => {
    const left = new AbortController()
    call(ssoOptions, {}, { signal: left.signal }).then(
      ({ provider }) => setLabel(provider?.label ?? null),
      () => {},
    )
    return () => left.abort()
  }, [])
  if (label === null) return null
  const leave = async () => {
    setState('leaving')
    try {
      const { url, browser } = await call(startSso, {})
      leaveFor(url, { browser, trial: null })
    } catch (error) {
      setState({ failed: messageOf(error) })
    }
  }
  return (
    <div className="mt-5">
      <p className="mb-3 flex items-center gap-3 text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        <Trans>or</Trans>
      </p>
      {typeof state === 'object' && (
        <Notice tone="danger" focusable className="mb-3">
          {state.failed}
        </Notice>
      )}
      <Button
        wide
        icon={KeyRound}
        busy={state === 'leaving'}
        busyLabel={<Trans>Opening {label}...</Trans>}
        onClick={() => void leave()}
      >
        <Trans>Sign in with {label}</Trans>
      </Button>
    </div>
  )
}
