import { Trans } from '@lingui/react/macro'
import { KeyRound, ShieldCheck } from 'lucide-react'
import { setQuery } from '../../../../web/go.ts'
import { useQueryParam } from '../../../../web/routes.tsx'
import { may } from '../../../../web/session.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { settingsPrivilege } from '../../rules.ts'
import { CompanySignInRules } from '../CompanySignInRules.tsx'
import { SectionTitle, type SectionProps } from './SectionForm.tsx'

/**
 * Section for the company's sign-in settings. A transfer does not copy them, because they contain secrets and could
 * lock people out.
 */
export function SignInSection({ companyConfig: { company, isPlatform } }: SectionProps) {
  const ruled = useQueryParam('rules') !== null
  return (
    <>
      <SectionTitle
        lead={
          isPlatform ? (
            <Trans>Rules for two-factor authentication and single sign-on. Exports do not include these rules.</Trans>
          ) : (
            <Trans>Rules for two-factor authentication and single sign-on.</Trans>
          )
        }
      >
        <Trans>Signing in</Trans>
      </SectionTitle>
      {may(...settingsPrivilege('settings', 'manage')) ? (
        <div className="flex flex-wrap gap-3">
          <Button icon={ShieldCheck} onClick={() => setQuery({ rules: '1' })}>
            <Trans>Sign-in rules</Trans>
          </Button>
          <Button icon={KeyRound} onClick={() => setQuery({ sso: String(company.id) })}>
            <Trans>Single Sign-On</Trans>
          </Button>
        </div>
      ) : (
        <p>
          {isPlatform ? (
            <Trans>Ask a platform manager to change these settings.</Trans>
          ) : (
            <Trans>Ask a Municipality Admin to change these settings.</Trans>
          )}
        </p>
      )}
      {ruled && <CompanySignInRules company={company} onClose={() => setQuery({ rules: null })} />}
    </>
  )
}
