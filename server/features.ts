/** The features, by name: their calls, what they mount besides, and their jobs. A reader can follow each from here. */
import type { FastifyInstance } from 'fastify'
import { calls as analytics } from '../features/analytics/server/routes.ts'
import { defineAnalyticsJobs } from '../features/analytics/server/roll-up.ts'
import { calls as audit } from '../features/audit/server/routes.ts'
import { defineSealing } from '../features/audit/server/seal.ts'
import { calls as calendar } from '../features/calendar/server/routes.ts'
import { calls as formLibrary } from '../features/form-library/server/routes.ts'
import { bootFor } from '../features/companies/server/boot.ts'
import { mountDocuments } from '../features/companies/server/documents.ts'
import { calls as companies } from '../features/companies/server/routes.ts'
import { calls as factors } from '../features/factors/server/routes.ts'
import { defineIdentityJobs } from '../features/identity/server/jobs.ts'
import { calls as customers } from '../features/customers/server/routes.ts'
import { calls as identity } from '../features/identity/server/routes.ts'
import { calls as impersonation } from '../features/impersonation/server/routes.ts'
import { calls as moneyReports } from '../features/money-reports/server/routes.ts'
import { calls as notices } from '../features/notices/server/routes.ts'
import { calls as outbox } from '../features/outbox/server/routes.ts'
import { calls as places } from '../features/places/server/routes.ts'
import { calls as reconciliation } from '../features/reconciliation/server/routes.ts'
import { definePaymentJobs } from '../features/payments/server/jobs.ts'
import { mountProviderEvents } from '../features/payments/server/provider-events.ts'
import { mountGuestReceipt } from '../features/payments/server/guest-receipt.ts'
import { calls as payments } from '../features/payments/server/routes.ts'
import { calls as profile } from '../features/profile/server/routes.ts'
import { calls as staff } from '../features/staff/server/routes.ts'
import { mountHandOff } from '../features/sso/server/hand-off.ts'
import { calls as sso } from '../features/sso/server/routes.ts'
import { calls as support } from '../features/support/server/routes.ts'
import { calls as utilityAccounts } from '../features/utility-accounts/server/routes.ts'
import { mountLogos } from '../features/town-config/server/logo.ts'
import { calls as townConfig } from '../features/town-config/server/routes.ts'
import { defineScanning } from './attachments/scan-waiting.ts'
import './payables.ts'
import type { Implemented } from './call.ts'
import { defineTelling } from './cases/tell.ts'
import type { House } from './house.ts'
import { mountMaps } from './places/map-file.ts'
import { calls as savedViews } from './saved-views.ts'
import { defineNoticeJobs } from './notices/notify.ts'
import { mountStopPage } from './notices/stop-page.ts'
import { mountSmsCallbacks } from './sms/callbacks.ts'
import { defineSmsSandbox } from './sms/sandbox.ts'
import { defineSmsJobs } from './sms/send.ts'
import { defineSweeping } from './sweep.ts'

export const allCalls: readonly Implemented[] = [
  ...identity,
  ...factors,
  ...profile,
  ...companies,
  ...calendar,
  ...payments,
  ...outbox,
  ...notices,
  ...reconciliation,
  ...audit,
  ...staff,
  ...impersonation,
  ...customers,
  ...sso,
  ...townConfig,
  ...formLibrary,
  ...moneyReports,
  ...analytics,
  ...support,
  ...utilityAccounts,
  ...places,
  ...savedViews,
]

export { bootFor }

export function mountFeatures(app: FastifyInstance, house: House): void {
  mountProviderEvents(app, house)
  mountGuestReceipt(app, house)
  mountDocuments(app, house)
  mountHandOff(app, house)
  mountLogos(app, house)
  mountMaps(app, house)
  mountStopPage(app, house)
  mountSmsCallbacks(app, house)
}

export function defineJobs(house: House): void {
  defineIdentityJobs(house)
  definePaymentJobs(house)
  defineSealing(house)
  defineAnalyticsJobs(house)
  defineScanning(house)
  defineNoticeJobs(house)
  defineTelling(house)
  defineSmsJobs(house)
  if (house.sms.name === 'sandbox') defineSmsSandbox(house)
  defineSweeping(house)
}
