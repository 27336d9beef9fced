import { anyone, built, know, open, signedIn } from '../screens.ts'

/** The residents' screens (specification 2.1). */
export const citizenScreens = know([
  open('/', 'Our Services', built),
  open('/home', 'Our Services', built),
  open('/sign-in', 'Sign In', { built: true, aliases: ['/signin'] }),
  open('/sign-up', 'Sign Up', built),
  open('/utility-portal', 'Utility Portal', built),
  // Ours: one linked account, and one of its bills.
  signedIn('/utility-portal/sharing', 'Shared Accounts', built),
  signedIn('/utility-portal/accounts/{accountId}', 'Utility Account', built),
  signedIn('/utility-portal/accounts/{accountId}/bills/{billNumber}', 'Utility Bill', built),
  signedIn('/forms-documents', 'Forms and Documents', built),
  // Ours: one form, filling it in, what was sent, and where a second person signs.
  signedIn('/forms-documents/{slug}', 'Form', built),
  signedIn('/forms-documents/fill/{submissionId}', 'Fill in a Form', built),
  open('/forms-documents/submission/{token}', 'Your Form', built),
  open('/forms-documents/sign/{token}', 'Please Sign', built),
  // Ours: what the QR code of a license or permit leads to.
  open('/verify/{code}', 'Verify a License or Permit', built),
  signedIn('/pay-bills', 'Pay Bills', built),
  // Ours: one thing that can be paid, where the town's own site leads to.
  open('/pay/{slug}', 'Pay', built),
  signedIn('/communication', 'Communication', built),
  // Ours: sending a request, also as a guest, what others reported, and the pages behind the links of mails.
  open('/communication/new', 'Report something', built),
  open('/communication/reported', 'What was reported', built),
  open('/communication/request/{token}', 'Your Request', built),
  open('/communication/followed/{token}', 'Followed Request', built),
  signedIn('/register-property', 'Registration', built),
  // Ours: what is in force, and what residents are alerted of.
  open('/alerts', 'Alerts', built),
  open('/relocate', 'Relocation', { aliases: ['/reloaction'], built: true }),
  open('/relocate/move-in', 'Move In', built),
  open('/relocate/move-out', 'Move Out', built),
  open('/relocate/move-within', 'Move Within', built),
  // Ours: where the mailed links of a move lead, for whoever asked and for the owner.
  open('/relocate/request/{token}', 'Your Move', built),
  open('/relocate/owner/{token}', 'Answer to a Move', built),
  signedIn('/resource-rentals', 'Resource Rentals', built),
  // Ours: one thing that can be rented, and one reservation of the resident's.
  signedIn('/resource-rentals/{resourceId}', 'Rental', built),
  // Ours: several dates of it at once, and where whoever booked on the phone signs, behind a mailed link.
  signedIn('/resource-rentals/{resourceId}/series', 'Several Dates', built),
  open('/resource-rentals/agreement/{token}', 'Your Agreement', built),
  signedIn('/resource-rentals/reservation/{reservationId}', 'Your Reservation', built),
  signedIn('/resource-rentals/season/{roundId}', 'Times of a Season', built),
  signedIn('/profile/activity-log', 'Activity Log', built),
  // Ours: what somebody paid in a year, for their tax papers.
  signedIn('/profile/paid-in-year', 'What You Paid', built),
  signedIn('/profile/settings', 'Settings', built),
  // Ours: cards and bank accounts that are kept, and the accounts that are paid by themselves.
  signedIn('/profile/payment-methods', 'Payment Methods and AutoPay', built),
  // Ours: what is owed, paid in installments.
  signedIn('/payment-arrangements', 'Payment Arrangements', built),
  open('/frequently-asked-questions', 'Frequently Asked Questions', built),
  open('/reset-password', 'Reset Password', built),
  open('/guest-utility-payment', 'Guest Utility Payment', built),
  open('/utility-index', 'Utility Payment Index', built),
  open('/guest/payment/{token}', 'Complete Payment', built),
  // Ours: the way to what was collected and is not paid yet.
  open('/cart', 'Your Cart', built),
  open('/payment-status', 'Payment Status', built),
  open('/parking-ticket-payment', 'Parking Ticket Payment', built),
  open('/parking-tickets', 'Parking Tickets', built),
  // Ours: the conversation behind the mailed link of a contest.
  open('/parking-ticket-contest/{token}', 'Your Contest', built),
  open('/citizen/initialize-impersonation', 'Opening the portal', built),
  anyone('/sso/verify-ccs-token', 'Signing you in', built),
  anyone('/sso-verification', 'Signing you in', built),
  anyone('/sso-auth-complete', 'Signed in', built),
  { ...anyone('/token-test', 'Token Test', built), meta: { requiresAuth: true } },
  { ...anyone('/payment-test', 'Payment Test', built), meta: { requiresAuth: true } },
  // Ours: the support form, and the conversation behind a mailed link.
  anyone('/support', 'Support Request', built),
  anyone('/support/{token}', 'Your Support Request', built),
  anyone('/notices/stop', 'Stop these mails?', { built: true, byServer: true }),
  anyone('/offline', 'Offline', built),
  anyone('/404', 'Page not found', built),
])
