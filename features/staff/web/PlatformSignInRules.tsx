import { Trans, useLingui } from '@lingui/react/macro'
import { ShieldCheck } from 'lucide-react'
import { call } from '../../../web/call.ts'
import { SignInRules } from '../../../web/office/SignInRules.tsx'
import { setQuery } from '../../../web/go.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { may } from '../../../web/session.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { saveSignInRules, signInRules } from '../../factors/contract.ts'

/** Button and slide-out for the two-factor authentication requirement of platform staff. */
export function PlatformSignInRules() {
  const open = useQueryParam('rules') !== null
  if (!may('company_setup', 'update') || !may('user_management', 'update')) return null
  return (
    <>
      <Button icon={ShieldCheck} onClick={() => setQuery({ rules: '1' })}>
        <Trans>Sign-in rules</Trans>
      </Button>
      {open && <Rules onClose={() => setQuery({ rules: null })} />}
    </>
  )
}

function Rules({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const response = useResponse(signInRules, {})
  const save = async (requireSecondFactor: boolean, basis: Record<string, unknown>) => {
    const saved = await call(saveSignInRules, { requireSecondFactor, basis })
    await reload(signInRules)
    return saved
  }
  const hint = t`Staff will need an authenticator app or a passkey in addition to their password.`
  return <SignInRules name={t`administrators`} hint={hint} response={response} save={save} onClose={onClose} />
}
