import { built, builtFor, inMenuFor, know, companyScreen } from '../screens.ts'

/** The screens of a town's back office (specification 2.2, 2.3). */
export const municipalityScreens = know([
  { ...companyScreen('/initialize-impersonation', 'Opening the portal', built), meta: { onlyMuni: true } },
  companyScreen('', 'Dashboard', builtFor('dashboard')),
  companyScreen('/work-orders', 'Work Orders', builtFor('communication_management')),
  companyScreen('/first-responder', 'First Responder', builtFor('communication_management')),
  // Not in the specification: the specification names no screen for inspections.
  companyScreen('/inspections', 'Inspections', inMenuFor('requests', 'communication_management')),
  companyScreen(
    '/inspections/{templateId}/items',
    'Items of an Inspection',
    builtFor('department_management', 'update'),
  ),
  // Not in the specification: work orders, inspections and hydrants on a phone, without a connection too.
  companyScreen('/field', 'In the Field', inMenuFor('requests', 'communication_management')),
  companyScreen('/schedule', 'Schedule', builtFor('dashboard')),
  companyScreen('/reports/customers/citizen', 'Utility Customers', builtFor('utility_management')),
  companyScreen('/reports/customers/property', 'Property Customers', builtFor('utility_management')),
  companyScreen('/reports/payments', 'Payment Transaction Report', builtFor('transaction_management')),
  companyScreen('/reports/communication', 'Communication Report', builtFor('communication_management')),
  companyScreen('/reports/alerts', 'Alerts Report', builtFor('communication_management')),
  companyScreen('/reports/forms-and-docs', 'Forms and Documents Report', builtFor('manage_others_forms')),
  companyScreen('/reports/parking-ticket', 'Parking Ticket Report', builtFor('transaction_management')),
  companyScreen('/reports/move-in-out', 'Move In and Out', builtFor('manage_other_move_in_out')),
  companyScreen('/reports/autopay', 'AutoPay', builtFor('reports_management')),
  companyScreen('/reports/autopay-removals', 'AutoPay Removals', builtFor('reports_management')),
  companyScreen('/reports/registration', 'Registration Reports', builtFor('manage_other_registrations')),
  // Not in the specification: what is asked for one kind of registration.
  companyScreen(
    '/reports/registration/{kind}/fields',
    'Questions of a registration',
    builtFor('manage_other_registrations'),
  ),
  companyScreen('/reports/login', 'Login Report', builtFor('reports_management')),
  companyScreen('/reports/merchant-overview', 'Merchant Overview', inMenuFor('money', 'transaction_management')),
  // Not in the specification: the figures of a tax form.
  companyScreen('/reports/form-1099k', 'Form 1099-K', inMenuFor('money', 'transaction_management')),
  // Not in the specification: what staff gave back of payments, and what waits for a second person.
  companyScreen('/reports/refunds', 'Refunds and Voids', inMenuFor('money', 'transaction_management')),
  companyScreen('/reports/payment-outages', 'Payment Outages', inMenuFor('money', 'transaction_management')),
  companyScreen('/reports/payment-outages/promises', 'Payments after an Outage', builtFor('transaction_management')),
  // Not in the specification: who did what, for the municipality's administrators.
  companyScreen('/reports/audit-log', 'Audit Log', inMenuFor('records', 'company_setup', 'update')),
  // Not in the specification: what was told by email and text, and whether it got there.
  companyScreen('/reports/notices', 'Notices', inMenuFor('records', 'communication_management')),
  companyScreen('/manage/manage-staff', 'Manage Municipality', builtFor('user_management')),
  companyScreen('/processor/reports', 'Processor Reports', builtFor('transaction_management')),
  // Not in the specification: what the town still has to do until a payment provider takes its payments.
  companyScreen('/processor/onboarding', 'Payment Provider Onboarding', inMenuFor('money', 'company_setup')),
  // Not in the specification: who opened them.
  companyScreen('/processor/reports/accesses', 'Who Opened Processor Reports', builtFor('company_setup', 'update')),
  companyScreen('/{provider}-sso-test', 'Provider Single Sign-On Test', builtFor('company_setup', 'update')),
  companyScreen('/manage/manage-General-payments', 'General Payments', builtFor('manage_other_payments')),
  // Not in the specification: the fields of one payment type.
  companyScreen('/manage/manage-General-payments/{typeId}/fields', 'Fields', builtFor('manage_other_payments')),
  // Not in the specification: what was paid by them.
  companyScreen('/reports/general-payments', 'General Payments Received', inMenuFor('money', 'transaction_management')),
  companyScreen('/manage/faqs', 'Frequently Asked Questions', builtFor('communication_management')),
  // Not in the specification: what people looked for in vain.
  companyScreen(
    '/manage/faqs/searches',
    'Searches Without an Answer',
    inMenuFor('requests', 'communication_management'),
  ),
  companyScreen('/manage/manage-forms-and-docs', 'Forms and Documents', builtFor('manage_others_forms')),
  // Not in the specification: fields of one form.
  companyScreen('/manage/manage-forms-and-docs/{typeId}/fields', 'Fields of a Form', builtFor('manage_others_forms')),
  companyScreen(
    '/manage/manage-forms-and-docs/{typeId}/fill',
    'Fill In a Form',
    builtFor('manage_others_forms', 'update'),
  ),
  companyScreen('/manage/customer-communication', 'Customer Communications', builtFor('communication_management')),
  // Not in the specification: what residents can report, and what is asked of it.
  companyScreen(
    '/manage/customer-communication/categories',
    'Categories of requests',
    inMenuFor('requests', 'communication_management'),
  ),
  companyScreen(
    '/manage/customer-communication/categories/{categoryId}/fields',
    'Questions',
    builtFor('communication_management'),
  ),
  companyScreen('/manage/parking-tickets', 'Parking Tickets', builtFor('transaction_management')),
  companyScreen('/manage/alerts', 'Alerts', builtFor('communication_management')),
  // Not in the specification: what others warn of, and where it comes from.
  companyScreen('/manage/alerts/sources', 'Alerts of Others', builtFor('communication_management')),
  companyScreen('/manage/manage-resource-rentals', 'Resource Rentals', builtFor('manage_other_payments')),
  // Not in the specification: what is asked of whoever reserves one thing.
  companyScreen(
    '/manage/manage-resource-rentals/{resourceId}/fields',
    'Questions of a Resource',
    builtFor('manage_other_payments'),
  ),
  // Not in the specification: payments at the office, and the drawers that they go into.
  companyScreen('/manage/counter', 'Counter', inMenuFor('money', 'transaction_management', 'create')),
  companyScreen('/reports/arrangements', 'Payment Arrangements', inMenuFor('money', 'transaction_management')),
  companyScreen('/reports/drawers', 'Cash Drawers', inMenuFor('money', 'transaction_management')),
  // Not in the specification: what residents pay by phone, and what comes through the bank.
  companyScreen('/reports/phone-payments', 'Pay by Phone', inMenuFor('money', 'transaction_management')),
  companyScreen('/manage/bank-payments', 'Bank Payments', inMenuFor('money', 'transaction_management')),
  companyScreen('/reports/reconciliation', 'Reconciliation', inMenuFor('money', 'transaction_management')),
  companyScreen('/reports/payouts', 'Payouts', inMenuFor('money', 'transaction_management')),
  companyScreen('/manage/bank-statements', 'Bank Statements', inMenuFor('money', 'transaction_management')),
  companyScreen('/reports/exceptions', 'Exceptions', inMenuFor('money', 'transaction_management')),
  // Not in the specification: addresses, parcels, zones and the map.
  // Not in the specification: what a payment costs on top, by day, and what the card networks allow.
  companyScreen('/manage/fee-rules', 'Fee Rules', inMenuFor('money', 'company_setup', 'update')),
  companyScreen('/manage/places', 'Places', inMenuFor('records', 'parcel_registration')),
  // Not in the specification: files from and for the billing system.
  companyScreen('/manage/billing-files', 'Billing Files', inMenuFor('money', 'utility_management')),
  companyScreen('/manage/billing-files/remittances', 'Remittances', builtFor('utility_management')),
  companyScreen('/manage/billing-files/file', 'File of bills', builtFor('utility_management')),
  // Not in the specification: the keys of programs that call by themselves.
  companyScreen('/manage/api-keys', 'API Keys', inMenuFor('records', 'company_setup', 'update')),
  // Not in the specification: where requests of residents go by Open311.
  companyScreen('/manage/other-portals', 'Other Portals', inMenuFor('records', 'company_setup', 'update')),
])
