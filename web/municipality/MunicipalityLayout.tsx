import { Trans, useLingui } from '@lingui/react/macro'
import { type ComponentType, Suspense } from 'react'
import { screenAt } from '../../shared/screens.ts'
import { useOnline } from '../online-status.ts'
import { page } from '../page.ts'
import { eraseOfflineData } from '../field/offline-data.ts'
import { Guide } from '../office/Guide.tsx'
import { ImpersonationBar } from '../office/ImpersonationBar.tsx'
import { LoneScreen, OfficeLayout } from '../office/OfficeLayout.tsx'
import { LazyContent, type LazyPart, type LazyPanel, useLazyPanel } from '../lazy-panel.tsx'
import { setQuery } from '../go.ts'
import { usePath, useQueryParam } from '../routes.tsx'
import { may, useSession } from '../session.ts'
import { signOut } from '../sign-out.ts'
import { StatusBadge } from '../ui/StatusBadge.tsx'
import { menu } from './menu.ts'
import { ModuleGate, useMenuOf } from './modules-off.tsx'
import { useWaiting } from './use-waiting.ts'
import { Text } from '../ui/Text.tsx'

interface Props {
  /** Chat with residents, for staff with access to chats. */
  chat: LazyPart
  /** Next step of setting the municipality up, for staff who see the settings while the portal is offline. */
  nextStep: LazyPart
  profile: LazyPanel
  supportDialog: LazyPanel
  /** Single sign-on settings, which a URL can open over any screen. Loaded on demand. */
  CompanySso: ComponentType<{ companyId: number; onClose: () => void }>
}

const menuIcons = () => import('./menu-icons.ts')
const commandBar = () => import('../command/CommandBar.tsx')

/** Layout of a company's back office (spec 2.9, 2.10). The only screen without a session has no side menu. */
export function MunicipalityLayout({ chat, nextStep, profile, supportDialog, CompanySso }: Props) {
  const { t } = useLingui()
  const session = useSession()
  const screen = screenAt(usePath())
  const companyId = page().company?.id
  const entries = useWaiting(useMenuOf(menu))
  const isOnline = useOnline()
  const isSsoOpen = useQueryParam('sso') !== null && may('settings', 'view')
  if (screen && !screen.meta.requiresAuth) return <LoneScreen />
  const name = page().company?.name ?? t`Company Not Found`
  return (
    <>
      <OfficeLayout
        home="/municipality"
        name={name}
        logoUrl={page().company?.logoUrl ?? null}
        menu={entries}
        menuIcons={menuIcons}
        commandBar={commandBar}
        gate={ModuleGate}
        heading={
          <>
            <Trans>
              Municipality Portal for <strong>{name}</strong>
            </Trans>
            {!isOnline && (
              <StatusBadge kind="attention" className="ms-3">
                <Trans>Offline for residents</Trans>
              </StatusBadge>
            )}
          </>
        }
        aside={
          <>
            {!isOnline && may('settings', 'view') && (
              <LazyContent key={`setup-${session?.userId}`} load={nextStep} className="empty:hidden" />
            )}
            {may('chat', 'view') && <LazyContent key={session?.userId} load={chat} className="min-h-8 min-w-20" />}
            <Guide />
            <Support dialog={supportDialog} />
          </>
        }
        bar={session?.impersonation && <ImpersonationBar {...session.impersonation} />}
        profile={profile}
        onSignOut={() => {
          eraseOfflineData()
          void signOut('/sign-in')
        }}
      />
      {companyId !== undefined && isSsoOpen && (
        <Suspense>
          <CompanySso companyId={companyId} onClose={() => setQuery({ sso: null })} />
        </Suspense>
      )}
    </>
  )
}

function Support({ dialog }: { dialog: LazyPanel }) {
  const { t } = useLingui()
  const form = useLazyPanel(dialog, t`The form could not be loaded. Reload the page and try again.`, 'support-request')
  return (
    <>
      <button type="button" className="link" onClick={form.open}>
        <Trans>Support Request</Trans>
      </button>
      <Text>{form.panel}</Text>
    </>
  )
}
