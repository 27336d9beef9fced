import { anyone, built, know, open, signedIn } from '../screens.ts'

/** Screens of residents (spec 2.1). */
export const citizenScreens = know([
  open('/', 'Our Services', built),
  open('/home', 'Our Services', built),
  open('/sign-in', 'Sign In', { built: true, aliases: ['/signin'] }),
  open('/sign-up', 'Sign Up', built),
  open('/utility-portal', 'Utility Portal', built),
  // Not in the specification: shared accounts, one linked account, and one of its bills.
  signedIn('/utility-portal/sharing', 'Shared Accounts', built),
  signedIn('/utility-portal/accounts/{accountId}', 'Utility Account', built),
  signedIn('/utility-portal/accounts/{accountId}/bills/{billNumber}', 'Utility Bill', built),
  signedIn('/forms-documents', 'Forms and Documents', built),
  // Not in the specification: a form, the page to fill it in, its submission, and the page for a second signer.
  signedIn('/forms-documents/{slug}', 'Form', built),
  signedIn('/forms-documents/fill/{submissionId}', 'Fill Out a Form', built),
  open('/forms-documents/submission/{token}', 'Your Form', built),
  open('/forms-documents/sign/{token}', 'Please Sign', built),
  // Not in the specification: the page that opens from the QR code on an issued document.
  open('/verify/{code}', 'Verify a License or Permit', built),
  signedIn('/pay-bills', 'Pay Bills', built),
  // Not in the specification: the page to pay a single item. The municipality's own site can link to it.
  open('/pay/{slug}', 'Pay', built),
  signedIn('/communication', 'Communication', built),
  // Not in the specification: the page to send a request, the list of public requests, and the pages that open from
  // emailed links.
  open('/communication/new', 'Report a problem', built),
  open('/communication/reported', 'Reported problems', built),
  open('/communication/request/{token}', 'Your Request', built),
  open('/communication/followed/{token}', 'Followed Request', built),
  signedIn('/register-property', 'Registration', built),
  // Not in the specification: active alerts, and alert preferences.
  open('/alerts', 'Alerts', built),
  open('/relocate', 'Relocation', { aliases: ['/reloaction'], built: true }),
  open('/relocate/move-in', 'Move In', built),
  open('/relocate/move-out', 'Move Out', built),
  open('/relocate/move-within', 'Move Within', built),
  // Not in the specification: the pages about a move, for the requester and the property owner. They open from emailed
  // links.
  open('/relocate/request/{token}', 'Your Move Request', built),
  open('/relocate/owner/{token}', 'Respond to a Move Request', built),
  signedIn('/resource-rentals', 'Resource Rentals', built),
  // Not in the specification: a single resource, and a single reservation of the resident.
  signedIn('/resource-rentals/{resourceId}', 'Rental', built),
  // Not in the specification: recurring reservations, and the agreement that the portal emails to renters who booked by
  // phone.
  signedIn('/resource-rentals/{resourceId}/series', 'Multiple Dates', built),
  open('/resource-rentals/agreement/{token}', 'Your Agreement', built),
  signedIn('/resource-rentals/reservation/{reservationId}', 'Your Reservation', built),
  signedIn('/resource-rentals/season/{roundId}', 'Season Application', built),
  signedIn('/profile/activity-log', 'Activity Log', built),
  // Not in the specification: payments in one year, for use in tax returns.
  signedIn('/profile/paid-in-year', 'Annual Payments', built),
  signedIn('/profile/settings', 'Settings', built),
  // Not in the specification: saved payment methods and AutoPay.
  signedIn('/profile/payment-methods', 'Payment Methods and AutoPay', built),
  // Not in the specification: payment arrangements, with which a resident pays an amount due in installments.
  signedIn('/payment-arrangements', 'Payment Arrangements', built),
  open('/frequently-asked-questions', 'Frequently Asked Questions', built),
  open('/reset-password', 'Reset Password', built),
  open('/guest-utility-payment', 'Guest Utility Payment', built),
  open('/utility-index', 'Utility Payment Index', built),
  open('/guest/payment/{token}', 'Complete Payment', built),
  // Not in the specification: the cart.
  open('/cart', 'Your Cart', built),
  open('/payment-status', 'Payment Status', built),
  open('/parking-ticket-payment', 'Parking Ticket Payment', built),
  open('/parking-tickets', 'Parking Tickets', built),
  // Not in the specification: the conversation about a contested ticket. It opens from an emailed link.
  open('/parking-ticket-contest/{token}', 'Your Contest Request', built),
  open('/citizen/initialize-impersonation', 'Opening the portal', built),
  anyone('/sso/verify-ccs-token', 'Signing you in', built),
  anyone('/sso-verification', 'Signing you in', built),
  anyone('/sso-auth-complete', 'Signed in', built),
  { ...anyone('/token-test', 'Token Test', built), meta: { requiresAuth: true } },
  { ...anyone('/payment-test', 'Payment Test', built), meta: { requiresAuth: true } },
  // Not in the specification: the support form, and the support conversation that opens from an emailed link.
  anyone('/support', 'Support Request', built),
  anyone('/support/{token}', 'Your Support Request', built),
  anyone('/notices/stop', 'Unsubscribe from these emails?', { built: true, byServer: true }),
  anyone('/offline', 'Offline', built),
  anyone('/404', 'Page not found', built),
])
