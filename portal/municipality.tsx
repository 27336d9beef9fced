import '../shared/screens/municipality.ts'
import '../web/ui/style.css'
import { lazy } from 'react'
import { screens as apiKeys } from '../features/api-keys/web/municipality.ts'
import { screens as otherPortals, requestAtPortal } from '../features/open311/web/municipality.ts'
import { screens as audit } from '../features/audit/web/municipality.ts'
import { screens as billingFiles } from '../features/billing-files/web/municipality.ts'
import { screens as arrangements } from '../features/arrangements/web/municipality.ts'
import { screens as autopay } from '../features/autopay/web/municipality.ts'
import { screens as calendar } from '../features/calendar/web/municipality.ts'
import { screens as counter } from '../features/counter/web/municipality.ts'
import { screens as customers } from '../features/customers/web/municipality.ts'
import { screens as faqs } from '../features/faqs/web/municipality.ts'
import { screens as field } from '../features/field/web/municipality.ts'
import { screens as forms } from '../features/forms/web/municipality.ts'
import { screens as generalPayments } from '../features/general-payments/web/municipality.ts'
import { screens as impersonation } from '../features/impersonation/web/municipality.ts'
import { screens as moving } from '../features/moving/web/municipality.ts'
import { screens as alerts } from '../features/alerts/web/municipality.ts'
import { screens as rentalAccess } from '../features/rental-access/web/municipality.ts'
import '../features/rental-editor/web/municipality.ts'
import '../features/rental-planner/web/municipality.ts'
import '../features/rental-report/web/municipality.ts'
import '../features/rental-seasons/web/municipality.ts'
import { screens as rentals } from '../features/rentals/web/municipality.ts'
import { nextStep, cards as companyCards, screens as companyConfig } from '../features/town-config/web/municipality.ts'
import { screens as feeRules } from '../features/fee-rules/web/municipality.ts'
import { screens as hydrants } from '../features/hydrants/web/municipality.ts'
import { screens as registration } from '../features/registration/web/municipality.ts'
import { screens as imports } from '../features/imports/web/municipality.ts'
import { screens as residentPreview } from '../features/resident-preview/web/municipality.ts'
import { screens as inspections } from '../features/inspections/web/municipality.ts'
import { screens as reconciliation } from '../features/reconciliation/web/municipality.ts'
import { screens as merchant } from '../features/merchant/web/municipality.ts'
import { screens as onboarding } from '../features/onboarding/web/municipality.ts'
import { notes as lockboxNotes, screens as lockbox } from '../features/lockbox/web/municipality.ts'
import { screens as phonePayments } from '../features/phone-payments/web/municipality.ts'
import { screens as notices } from '../features/notices/web/municipality.ts'
import { screens as parkingTickets } from '../features/parking-tickets/web/municipality.ts'
import { screens as outages } from '../features/outages/web/municipality.ts'
import { screens as paymentReport } from '../features/payment-report/web/municipality.ts'
import { screens as refunds } from '../features/refunds/web/municipality.ts'
import { screens as places } from '../features/places/web/municipality.ts'
import { profileSlideOut } from '../features/profile/web/municipality.ts'
import {
  cards as requestCards,
  chat,
  screens as serviceRequests,
} from '../features/service-requests/web/municipality.ts'
import { screens as sso, ssoSlideOut } from '../features/sso/web/municipality.ts'
import { screens as starterPacks } from '../features/starter-packs/web/municipality.ts'
import { screens as staff } from '../features/staff/web/municipality.ts'
import { supportDialog } from '../features/support/web/municipality.ts'
import { cards as orderCards, screens as workOrders } from '../features/work-orders/web/municipality.ts'
import { fieldParts } from '../web/field/parts.ts'
import { offlineOwner } from '../web/field/offline-data.ts'
import { dashboardCards, dashboardNotes } from '../web/municipality/dashboard.ts'
import { requestParts } from '../web/municipality/request-parts.ts'
import { MunicipalityLayout } from '../web/municipality/MunicipalityLayout.tsx'
import { NotFound } from '../web/NotFound.tsx'
import { startShell } from '../web/start-shell.tsx'

const CompanySso = lazy(ssoSlideOut)

document.documentElement.classList.add('office')
dashboardCards.push(...companyCards, ...requestCards, ...orderCards)
dashboardNotes.push(...lockboxNotes)
requestParts.push(requestAtPortal)
fieldParts.load = () => import('./in-field.ts')

/** Starts the municipality screens with all features. */
const start = (): Promise<void> =>
  startShell({
    entry: 'municipality',
    layout: () => (
      <MunicipalityLayout
        chat={chat}
        nextStep={nextStep}
        profile={profileSlideOut}
        supportDialog={supportDialog}
        CompanySso={CompanySso}
      />
    ),
    routes: [
      ...calendar,
      ...paymentReport,
      ...refunds,
      ...outages,
      ...counter,
      ...phonePayments,
      ...faqs,
      ...field,
      ...companyConfig,
      ...feeRules,
      ...hydrants,
      ...moving,
      ...alerts,
      ...rentals,
      ...rentalAccess,
      ...registration,
      ...inspections,
      ...lockbox,
      ...onboarding,
      ...reconciliation,
      ...merchant,
      ...forms,
      ...generalPayments,
      ...arrangements,
      ...autopay,
      ...starterPacks,
      ...staff,
      ...audit,
      ...customers,
      ...impersonation,
      ...serviceRequests,
      ...sso,
      ...notices,
      ...places,
      ...billingFiles,
      ...apiKeys,
      ...imports,
      ...residentPreview,
      ...otherPortals,
      ...parkingTickets,
      ...workOrders,
    ],
    notFound: () => <NotFound home="/municipality" />,
  })

// If this device has saved field work, first checks which staff member the work belongs to.
if (offlineOwner()) void import('../web/field/stored-session.ts').then(({ enterStored }) => enterStored(start))
else void start()
