import { Trans } from '@lingui/react/macro'
import { isMunicipalityRole } from '../../../../shared/privileges.ts'
import { useResponse } from '../../../../web/query.ts'
import { useSession } from '../../../../web/session.ts'
import { LinkButton } from '../../../../web/ui/Button.tsx'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { Measure, PageHead } from '../../../../web/ui/Page.tsx'
import { Failed, LoadingState } from '../../../../web/ui/States.tsx'
import { myFactors } from '../../../factors/contract.ts'
import { mySessions, passwordRules } from '../../../identity/contract.ts'
import { myTexts, returnProfile } from '../../contract.ts'
import type { Profile } from '../profile-form.ts'
import { AppPanel } from './AppPanel.tsx'
import { ClosePanel } from './ClosePanel.tsx'
import { ContactPanel } from './ContactPanel.tsx'
import { EmailPanel } from './EmailPanel.tsx'
import { PasskeysPanel } from './PasskeysPanel.tsx'
import { PasswordPanel } from './PasswordPanel.tsx'
import { PaymentsPanel } from './PaymentsPanel.tsx'
import { ProfilePanel } from './ProfilePanel.tsx'
import { SessionsPanel } from './SessionsPanel.tsx'
import { TextsPanel } from './TextsPanel.tsx'

/** True if every panel has loaded or failed. All panels then appear together, without layout shifts. */
function usePanelsReady(own: boolean, staff: boolean): boolean {
  const responses = [
    useResponse(myTexts, {}, { enabled: !staff }),
    useResponse(mySessions, {}, { enabled: own }),
    useResponse(passwordRules, {}, { enabled: own }),
    useResponse(myFactors, {}, { enabled: own }),
  ]
  return !responses.some(({ isLoading }) => isLoading)
}

/** Screen with the account settings. Each panel is saved separately. */
export default function SettingsScreen() {
  const { data, error, refetch } = useResponse(returnProfile, {})
  const session = useSession()
  const staff = isMunicipalityRole(session?.un ?? 0)
  const ready = usePanelsReady(session !== null && !session.impersonating, staff)
  return (
    <Measure className="py-10">
      <PageHead
        title={<Trans>Settings</Trans>}
        actions={
          staff && (
            <LinkButton to="/municipality">
              <Trans>Back to the municipality portal</Trans>
            </LinkButton>
          )
        }
      />
      {error && !data ? (
        <Failed error={error} title={<Trans>Your settings could not be loaded</Trans>} onRetry={() => void refetch()} />
      ) : data && ready ? (
        <Panels profile={data.user} />
      ) : (
        <LoadingState shape="block">
          <Trans>Loading your settings</Trans>
        </LoadingState>
      )}
    </Measure>
  )
}

function Panels({ profile }: { profile: Profile }) {
  const session = useSession()
  const staff = isMunicipalityRole(session?.un ?? 0)
  const own = !session?.impersonating
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <div className="grid gap-6">
        <ProfilePanel profile={profile} />
        {!staff && <ContactPanel profile={profile} />}
        {!staff && <TextsPanel profile={profile} />}
        {!staff && <PaymentsPanel />}
        {own && <SessionsPanel />}
      </div>
      <div className="grid gap-6">
        {own ? (
          <>
            <EmailPanel profile={profile} />
            <PasswordPanel />
            <AppPanel />
            <PasskeysPanel />
            {!staff && <ClosePanel />}
          </>
        ) : (
          <Notice tone="info">
            <Trans>
              Only the account holder can see the email, password, two-factor authentication and session settings.
            </Trans>
          </Notice>
        )}
      </div>
    </div>
  )
}
