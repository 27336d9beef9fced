import '../shared/screens/citizen.ts'
import { screens as audit } from '../features/audit/web/citizen.ts'
import { screens as arrangements } from '../features/arrangements/web/citizen.ts'
import { screens as autopay } from '../features/autopay/web/citizen.ts'
import { screens as companies } from '../features/companies/web/citizen.ts'
import { screens as faqs, search } from '../features/faqs/web/citizen.ts'
import { screens as forms } from '../features/forms/web/citizen.ts'
import { screens as generalPayments } from '../features/general-payments/web/citizen.ts'
import { screens as identity } from '../features/identity/web/citizen.ts'
import { screens as impersonation } from '../features/impersonation/web/citizen.ts'
import { screens as parkingTickets } from '../features/parking-tickets/web/citizen.ts'
import { cart, screens as checkout } from '../features/checkout/web/citizen.ts'
import { screens as onboarding } from '../features/onboarding/web/citizen.ts'
import { confirmNotice, screens as profile } from '../features/profile/web/citizen.ts'
import { screens as moving } from '../features/moving/web/citizen.ts'
import { alertBanner, screens as alerts } from '../features/alerts/web/citizen.ts'
import { screens as rentalAccess } from '../features/rental-access/web/citizen.ts'
import { screens as rentalSeasons } from '../features/rental-seasons/web/citizen.ts'
import { previewBar } from '../features/resident-preview/web/citizen.ts'
import { screens as rentals } from '../features/rentals/web/citizen.ts'
import { screens as registration } from '../features/registration/web/citizen.ts'
import { chat, screens as serviceRequests } from '../features/service-requests/web/citizen.ts'
import { screens as sso } from '../features/sso/web/citizen.ts'
import { screens as support, supportDialog } from '../features/support/web/citizen.ts'
import { screens as utilityAccounts } from '../features/utility-accounts/web/citizen.ts'
import { screens as yearStatements } from '../features/year-statements/web/citizen.ts'
import { screens as utilityPortal } from '../features/utility-portal/web/citizen.ts'
import { CitizenLayout } from '../web/citizen/CitizenLayout.tsx'
import { NotFound } from '../web/NotFound.tsx'
import type { Shell } from '../web/shell.tsx'

/** The resident screens of all features. */
export const citizenShell: Shell = {
  entry: 'citizen',
  layout: () => (
    <CitizenLayout
      alerts={alertBanner}
      cart={cart}
      chat={chat}
      confirmNotice={confirmNotice}
      previewBar={previewBar}
      search={search}
      supportDialog={supportDialog}
    />
  ),
  routes: [
    ...companies,
    ...identity,
    ...profile,
    ...utilityAccounts,
    ...utilityPortal,
    ...yearStatements,
    ...checkout,
    ...onboarding,
    ...parkingTickets,
    ...forms,
    ...generalPayments,
    ...faqs,
    ...arrangements,
    ...autopay,
    ...registration,
    ...audit,
    ...impersonation,
    ...sso,
    ...moving,
    ...alerts,
    ...rentals,
    ...rentalSeasons,
    ...rentalAccess,
    ...serviceRequests,
    ...support,
  ],
  notFound: () => <NotFound search="/frequently-asked-questions" />,
}
