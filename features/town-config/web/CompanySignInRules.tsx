import { useLingui } from '@lingui/react/macro'
import { call } from '../../../web/call.ts'
import { SignInRules } from '../../../web/office/SignInRules.tsx'
import { reload, useResponse } from '../../../web/query.ts'
import { saveSignInRules, signInRules } from '../../factors/contract.ts'

/** Two-factor authentication requirement for a company's staff. */
export function CompanySignInRules({
  company,
  onClose,
}: {
  company: { id: number; name: string }
  onClose: () => void
}) {
  const { t } = useLingui()
  const response = useResponse(signInRules, { companyId: company.id })
  const save = async (requireSecondFactor: boolean, basis: Record<string, unknown>) => {
    const saved = await call(saveSignInRules, { companyId: company.id, requireSecondFactor, basis })
    await reload(signInRules)
    return saved
  }
  const hint = t`Staff will need an authenticator app or a passkey in addition to their password. Two-factor authentication is optional for residents.`
  return <SignInRules name={company.name} hint={hint} response={response} save={save} onClose={onClose} />
}
