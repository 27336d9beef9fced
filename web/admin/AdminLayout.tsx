import { Trans } from '@lingui/react/macro'
import { type ComponentType, Suspense } from 'react'
import { screenAt } from '../../shared/screens.ts'
import { Guide } from '../office/Guide.tsx'
import type { LazyPanel } from '../lazy-panel.tsx'
import { LoneScreen, OfficeLayout } from '../office/OfficeLayout.tsx'
import { setQuery } from '../go.ts'
import { usePath, useQueryParam } from '../routes.tsx'
import { may, useSession } from '../session.ts'
import { signOut } from '../sign-out.ts'
import { menu } from './menu.ts'

/** Panels of features that a URL can open over any screen. Loaded on demand. */
interface Props {
  profile: LazyPanel
  CompanySso: ComponentType<{ companyId: number; onClose: () => void }>
  AssignItems: ComponentType<{ personId: number; onClose: () => void }>
}

/** The administrator portal (spec 2.9, 2.12). Its sign-in page has no layout. */
export function AdminLayout({ profile, CompanySso, AssignItems }: Props) {
  const session = useSession()
  const screen = screenAt(usePath())
  const sso = Number(useQueryParam('sso'))
  const assigned = Number(useQueryParam('items'))
  if (!session || (screen && !screen.meta.requiresAuth)) return <LoneScreen />
  return (
    <>
      <OfficeLayout
        home="/admin"
        name="Mainstreet"
        logoUrl={null}
        menu={menu}
        heading={<Trans>Administrator Portal</Trans>}
        aside={
          <>
            <Guide />
            <span className="text-muted text-sm">{session.profileName}</span>
          </>
        }
        profile={profile}
        onSignOut={() => void signOut('/admin/sign-in')}
      />
      {assigned > 0 && may('chat', 'update') && (
        <Suspense>
          <AssignItems key={assigned} personId={assigned} onClose={() => setQuery({ items: null })} />
        </Suspense>
      )}
      {sso > 0 && may('company_setup', 'view') && (
        <Suspense>
          <CompanySso key={sso} companyId={sso} onClose={() => setQuery({ sso: null })} />
        </Suspense>
      )}
    </>
  )
}
