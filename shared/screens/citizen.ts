import { sharedScreen, built, registerScreens, residentScreen, signedInScreen } from '../screens.ts'

/** Screens of residents (spec 2.1). */
export const citizenScreens = registerScreens([
  residentScreen('/', 'Our Services', built),
  residentScreen('/home', 'Our Services', built),
  residentScreen('/sign-in', 'Sign In', { built: true, aliases: ['/signin'] }),
  residentScreen('/sign-up', 'Sign Up', built),
  residentScreen('/utility-portal', 'Utility Portal', built),
  // Not in the specification: shared accounts, one linked account, and one of its bills.
  signedInScreen('/utility-portal/sharing', 'Shared Accounts', built),
  signedInScreen('/utility-portal/accounts/{accountId}', 'Utility Account', built),
  signedInScreen('/utility-portal/accounts/{accountId}/bills/{billNumber}', 'Utility Bill', built),
  signedInScreen('/forms-documents', 'Forms and Documents', built),
  // Not in the specification: a form, the page to fill it in, its submission, and the page for a second signer.
  signedInScreen('/forms-documents/{slug}', 'Form', built),
  signedInScreen('/forms-documents/fill/{submissionId}', 'Fill Out a Form', built),
  residentScreen('/forms-documents/submission/{token}', 'Your Form', built),
  residentScreen('/forms-documents/sign/{token}', 'Please Sign', built),
  // Not in the specification: the page that opens from the QR code on an issued document.
  residentScreen('/verify/{code}', 'Verify a License or Permit', built),
  signedInScreen('/pay-bills', 'Pay Bills', built),
  // Not in the specification: the page to pay a single item. The municipality's own site can link to it.
  residentScreen('/pay/{slug}', 'Pay', built),
  signedInScreen('/communication', 'Communication', built),
  // Not in the specification: the page to send a request, the list of public requests, and the pages that open from
  // emailed links.
  residentScreen('/communication/new', 'Report a problem', built),
  residentScreen('/communication/reported', 'Reported problems', built),
  residentScreen('/communication/request/{token}', 'Your Request', built),
  residentScreen('/communication/followed/{token}', 'Followed Request', built),
  signedInScreen('/register-property', 'Registration', built),
  // Not in the specification: active alerts, and alert preferences.
  residentScreen('/alerts', 'Alerts', built),
  residentScreen('/relocate', 'Relocation', { aliases: ['/reloaction'], built: true }),
  residentScreen('/relocate/move-in', 'Move In', built),
  residentScreen('/relocate/move-out', 'Move Out', built),
  residentScreen('/relocate/move-within', 'Move Within', built),
  // Not in the specification: the pages about a move, for the requester and the property owner. They open from emailed
  // links.
  residentScreen('/relocate/request/{token}', 'Your Move Request', built),
  residentScreen('/relocate/owner/{token}', 'Respond to a Move Request', built),
  signedInScreen('/resource-rentals', 'Resource Rentals', built),
  // Not in the specification: a single resource, and a single reservation of the resident.
  signedInScreen('/resource-rentals/{resourceId}', 'Rental', built),
  // Not in the specification: recurring reservations, and the agreement that the portal emails to renters who booked by
  // phone.
  signedInScreen('/resource-rentals/{resourceId}/series', 'Multiple Dates', built),
  residentScreen('/resource-rentals/agreement/{token}', 'Your Agreement', built),
  signedInScreen('/resource-rentals/reservation/{reservationId}', 'Your Reservation', built),
  signedInScreen('/resource-rentals/season/{roundId}', 'Season Application', built),
  signedInScreen('/profile/activity-log', 'Activity Log', built),
  // Not in the specification: payments in one year, for use in tax returns.
  signedInScreen('/profile/paid-in-year', 'Annual Payments', built),
  signedInScreen('/profile/settings', 'Settings', built),
  // Not in the specification: saved payment methods and AutoPay.
  signedInScreen('/profile/payment-methods', 'Payment Methods and AutoPay', built),
  // Not in the specification: payment arrangements, with which a resident pays an amount due in installments.
  signedInScreen('/payment-arrangements', 'Payment Arrangements', built),
  residentScreen('/frequently-asked-questions', 'Frequently Asked Questions', built),
  residentScreen('/reset-password', 'Reset Password', built),
  residentScreen('/guest-utility-payment', 'Guest Utility Payment', built),
  residentScreen('/utility-index', 'Utility Payment Index', built),
  residentScreen('/guest/payment/{token}', 'Complete Payment', built),
  // Not in the specification: the cart.
  residentScreen('/cart', 'Your Cart', built),
  residentScreen('/payment-status', 'Payment Status', built),
  residentScreen('/parking-ticket-payment', 'Parking Ticket Payment', built),
  residentScreen('/parking-tickets', 'Parking Tickets', built),
  // Not in the specification: the conversation about a contested ticket. It opens from an emailed link.
  residentScreen('/parking-ticket-contest/{token}', 'Your Contest Request', built),
  residentScreen('/citizen/initialize-impersonation', 'Opening the portal', built),
  sharedScreen('/sso/verify-ccs-token', 'Signing you in', built),
  sharedScreen('/sso-verification', 'Signing you in', built),
  sharedScreen('/sso-auth-complete', 'Signed in', built),
  { ...sharedScreen('/token-test', 'Token Test', built), meta: { requiresAuth: true } },
  { ...sharedScreen('/payment-test', 'Payment Test', built), meta: { requiresAuth: true } },
  // Not in the specification: the support form, and the support conversation that opens from an emailed link.
  sharedScreen('/support', 'Support Request', built),
  sharedScreen('/support/{token}', 'Your Support Request', built),
  sharedScreen('/notices/stop', 'Unsubscribe from these emails?', { built: true, byServer: true }),
  sharedScreen('/offline', 'Offline', built),
  sharedScreen('/404', 'Page not found', built),
])
