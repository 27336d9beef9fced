import { Trans, useLingui } from '@lingui/react/macro'
import { lazy, Suspense } from 'react'
import { screenAt } from '../../shared/screens.ts'
import { Guide } from '../office/Guide.tsx'
import { LoneScreen, OfficeLayout } from '../office/OfficeLayout.tsx'
import { setQuery } from '../go.ts'
import { usePath, useQueryParam } from '../routes.tsx'
import { may, useSession } from '../session.ts'
import { signOut } from '../sign-out.ts'
import { menuFor } from './menu.ts'
import { assignSlideOut, profileSlideOut, ssoSlideOut } from './routes.ts'

const CompanySso = lazy(ssoSlideOut)
const AssignItems = lazy(assignSlideOut)

/** The administrator portal (specification 2.9, 2.12). Its sign-in page stands alone. */
export function AdminLayout() {
  const { t } = useLingui()
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
        menu={menuFor(may).map(({ path, label }) => ({ path, label: t(label) }))}
        heading={<Trans>Administrator Portal</Trans>}
        aside={
          <>
            <Guide />
            <span className="text-muted text-sm">{session.profileName}</span>
          </>
        }
        profile={profileSlideOut}
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
