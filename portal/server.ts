import { analytics } from '../features/analytics/feature.ts'
import { apiKeysFeature } from '../features/api-keys/feature.ts'
import { audit } from '../features/audit/feature.ts'
import { billingSystem } from '../features/billing-files/feature.ts'
import { arrangements } from '../features/arrangements/feature.ts'
import { autopay } from '../features/autopay/feature.ts'
import { calendar } from '../features/calendar/feature.ts'
import { companies } from '../features/companies/feature.ts'
import { counter } from '../features/counter/feature.ts'
import { customers } from '../features/customers/feature.ts'
import { factors } from '../features/factors/feature.ts'
import { faqs } from '../features/faqs/feature.ts'
import { field } from '../features/field/feature.ts'
import { formLibrary } from '../features/form-library/feature.ts'
import { forms } from '../features/forms/feature.ts'
import { generalPayments } from '../features/general-payments/feature.ts'
import { identity } from '../features/identity/feature.ts'
import { impersonation } from '../features/impersonation/feature.ts'
import { feeRulesFeature } from '../features/fee-rules/feature.ts'
import { hydrants } from '../features/hydrants/feature.ts'
import { imports } from '../features/imports/feature.ts'
import { inspections } from '../features/inspections/feature.ts'
import { lockbox } from '../features/lockbox/feature.ts'
import { merchant } from '../features/merchant/feature.ts'
import { moneyReports } from '../features/money-reports/feature.ts'
import { moving } from '../features/moving/feature.ts'
import { notices } from '../features/notices/feature.ts'
import { onboarding } from '../features/onboarding/feature.ts'
import { open311 } from '../features/open311/feature.ts'
import { outbox } from '../features/outbox/feature.ts'
import { parkingTickets } from '../features/parking-tickets/feature.ts'
import { serviceRequests } from '../features/service-requests/feature.ts'
import { workOrdersFeature } from '../features/work-orders/feature.ts'
import { checkout } from '../features/checkout/feature.ts'
import { outages } from '../features/outages/feature.ts'
import { paymentReport } from '../features/payment-report/feature.ts'
import { payments } from '../features/payments/feature.ts'
import { refunds } from '../features/refunds/feature.ts'
import { phonePayments } from '../features/phone-payments/feature.ts'
import { places } from '../features/places/feature.ts'
import { profile } from '../features/profile/feature.ts'
import { registration } from '../features/registration/feature.ts'
import { reconciliation } from '../features/reconciliation/feature.ts'
import { alerts } from '../features/alerts/feature.ts'
import { residentPreview } from '../features/resident-preview/feature.ts'
import { rentalAccess } from '../features/rental-access/feature.ts'
import { rentalEditor } from '../features/rental-editor/feature.ts'
import { rentalPlanner } from '../features/rental-planner/feature.ts'
import { rentalReport } from '../features/rental-report/feature.ts'
import { rentalSeasons } from '../features/rental-seasons/feature.ts'
import { rentals } from '../features/rentals/feature.ts'
import { sharedRecords } from '../features/shared-records/feature.ts'
import { starterPacks } from '../features/starter-packs/feature.ts'
import { sso } from '../features/sso/feature.ts'
import { staff } from '../features/staff/feature.ts'
import { support } from '../features/support/feature.ts'
import { companyConfig } from '../features/town-config/feature.ts'
import { yearStatements } from '../features/year-statements/feature.ts'
import { utilityAccounts } from '../features/utility-accounts/feature.ts'
import { utilityPortal } from '../features/utility-portal/feature.ts'
import type { Handler } from '../server/call.ts'
import type { Feature } from '../server/feature.ts'
import { serverFeature } from '../server/server-feature.ts'

/** All features. `ground` contains the parts of the server itself. */
export const features: readonly Feature[] = [
  serverFeature,
  identity,
  factors,
  profile,
  companies,
  calendar,
  faqs,
  payments,
  refunds,
  outages,
  checkout,
  paymentReport,
  counter,
  outbox,
  notices,
  reconciliation,
  audit,
  staff,
  impersonation,
  customers,
  sso,
  companyConfig,
  onboarding,
  formLibrary,
  moneyReports,
  merchant,
  yearStatements,
  support,
  utilityAccounts,
  utilityPortal,
  generalPayments,
  forms,
  apiKeysFeature,
  imports,
  billingSystem,
  autopay,
  arrangements,
  phonePayments,
  feeRulesFeature,
  hydrants,
  registration,
  inspections,
  lockbox,
  places,
  parkingTickets,
  serviceRequests,
  moving,
  rentals,
  rentalEditor,
  rentalPlanner,
  rentalReport,
  rentalSeasons,
  residentPreview,
  rentalAccess,
  alerts,
  open311,
  workOrdersFeature,
  field,
  sharedRecords,
  starterPacks,
  // Analytics comes last, because its demo data counts the data of the other features.
  analytics,
]

export const allCalls: readonly Handler[] = features.flatMap(({ calls }) => calls ?? [])
