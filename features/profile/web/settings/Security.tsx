import { Trans } from '@lingui/react/macro'
import { useSession } from '../../../../web/session.ts'
import { CloseAction, SlideOut } from '../../../../web/ui/Dialog.tsx'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { AppPanel } from './AppPanel.tsx'
import { PasskeysPanel } from './PasskeysPanel.tsx'
import { PasswordPanel } from './PasswordPanel.tsx'
import { SessionsPanel } from './SessionsPanel.tsx'

/** Sign-in settings for company staff and platform staff. Residents have these panels on their settings page. */
export default function Security({ onClose }: { onClose: () => void }) {
  const impersonating = useSession()?.impersonating ?? false
  return (
    <SlideOut title={<Trans>Sign-in and Security</Trans>} onClose={onClose} actions={<CloseAction onClose={onClose} />}>
      {impersonating ? (
        <Notice tone="info">
          <Trans>Only the account holder can see the sign-in settings.</Trans>
        </Notice>
      ) : (
        <div className="grid gap-5">
          <AppPanel />
          <PasskeysPanel />
          <PasswordPanel />
          <SessionsPanel />
        </div>
      )}
    </SlideOut>
  )
}
