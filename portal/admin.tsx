import '../shared/all-screens.ts'
import '../web/ui/style.css'
import { lazy } from 'react'
import { screens as analytics } from '../features/analytics/web/admin.ts'
import { screens as audit } from '../features/audit/web/admin.ts'
import { screens as calendar } from '../features/calendar/web/admin.ts'
import { screens as companyConfig } from '../features/town-config/web/admin.ts'
import { screens as customers } from '../features/customers/web/admin.ts'
import { screens as formLibrary } from '../features/form-library/web/admin.ts'
import { screens as identity } from '../features/identity/web/admin.ts'
import { screens as imports } from '../features/imports/web/admin.ts'
import { screens as moneyReports } from '../features/money-reports/web/admin.ts'
import { screens as onboarding } from '../features/onboarding/web/admin.ts'
import { screens as outbox } from '../features/outbox/web/admin.ts'
import { screens as outages } from '../features/outages/web/admin.ts'
import { profileSlideOut } from '../features/profile/web/admin.ts'
import { screens as reconciliation } from '../features/reconciliation/web/admin.ts'
import { ssoSlideOut } from '../features/sso/web/admin.ts'
import { screens as starterPacks } from '../features/starter-packs/web/admin.ts'
import { screens as staff } from '../features/staff/web/admin.ts'
import { assignSlideOut, screens as support } from '../features/support/web/admin.ts'
import { AdminLayout } from '../web/admin/AdminLayout.tsx'
import { NotFound } from '../web/NotFound.tsx'
import { startShell } from '../web/start-shell.tsx'

const CompanySso = lazy(ssoSlideOut)
const AssignItems = lazy(assignSlideOut)

document.documentElement.classList.add('office')

/** Starts the administrator screens with all features. */
void startShell({
  entry: 'admin',
  layout: () => <AdminLayout profile={profileSlideOut} CompanySso={CompanySso} AssignItems={AssignItems} />,
  routes: [
    ...identity,
    ...companyConfig,
    ...outbox,
    ...outages,
    ...customers,
    ...starterPacks,
    ...staff,
    ...audit,
    ...formLibrary,
    ...imports,
    ...calendar,
    ...moneyReports,
    ...reconciliation,
    ...onboarding,
    ...analytics,
    ...support,
  ],
  notFound: () => <NotFound home="/admin" />,
})
