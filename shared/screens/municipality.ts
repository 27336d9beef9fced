import { built, builtFor, inMenuFor, know, town } from '../screens.ts'

/** The screens of a town's back office (specification 2.2, 2.3). */
export const municipalityScreens = know([
  { ...town('/initialize-impersonation', 'Opening the portal', built), meta: { onlyMuni: true } },
  town('', 'Dashboard', builtFor('dashboard')),
  town('/work-orders', 'Work Orders', builtFor('communication_management')),
  town('/first-responder', 'First Responder', builtFor('communication_management')),
  // Ours: the specification names no screen for inspections.
  town('/inspections', 'Inspections', inMenuFor('requests', 'communication_management')),
  town('/inspections/{templateId}/items', 'Items of an Inspection', builtFor('department_management', 'update')),
  // Ours: work orders, inspections and hydrants on a phone, without a connection too.
  town('/field', 'In the Field', inMenuFor('requests', 'communication_management')),
  town('/schedule', 'Schedule', builtFor('dashboard')),
  town('/reports/customers/citizen', 'Utility Customers', builtFor('utility_management')),
  town('/reports/customers/property', 'Property Customers', builtFor('utility_management')),
  town('/reports/payments', 'Payment Transaction Report', builtFor('transaction_management')),
  town('/reports/communication', 'Communication Report', builtFor('communication_management')),
  town('/reports/alerts', 'Alerts Report', builtFor('communication_management')),
  town('/reports/forms-and-docs', 'Forms and Documents Report', builtFor('manage_others_forms')),
  town('/reports/parking-ticket', 'Parking Ticket Report', builtFor('transaction_management')),
  town('/reports/move-in-out', 'Move In and Out', builtFor('manage_other_move_in_out')),
  town('/reports/autopay', 'AutoPay', builtFor('reports_management')),
  town('/reports/autopay-removals', 'AutoPay Removals', builtFor('reports_management')),
  town('/reports/registration', 'Registration Reports', builtFor('manage_other_registrations')),
  // Ours: what is asked for one kind of registration.
  town('/reports/registration/{kind}/fields', 'Questions of a registration', builtFor('manage_other_registrations')),
  town('/reports/login', 'Login Report', builtFor('reports_management')),
  town('/reports/merchant-overview', 'Merchant Overview', inMenuFor('money', 'transaction_management')),
  // Ours: the figures of a tax form.
  town('/reports/form-1099k', 'Form 1099-K', inMenuFor('money', 'transaction_management')),
  // Ours: what staff gave back of payments, and what waits for a second person.
  town('/reports/refunds', 'Refunds and Voids', inMenuFor('money', 'transaction_management')),
  town('/reports/payment-outages', 'Payment Outages', inMenuFor('money', 'transaction_management')),
  town('/reports/payment-outages/promises', 'Payments after an Outage', builtFor('transaction_management')),
  // Ours: who did what, for the municipality's administrators.
  town('/reports/audit-log', 'Audit Log', inMenuFor('records', 'company_setup', 'update')),
  // Ours: what was told by email and text, and whether it got there.
  town('/reports/notices', 'Notices', inMenuFor('records', 'communication_management')),
  town('/manage/manage-staff', 'Manage Municipality', builtFor('user_management')),
  town('/processor/reports', 'Processor Reports', builtFor('transaction_management')),
  // Ours: what the town still has to do until a payment provider takes its payments.
  town('/processor/onboarding', 'Payment Provider Onboarding', inMenuFor('money', 'company_setup')),
  // Ours: who opened them.
  town('/processor/reports/accesses', 'Who Opened Processor Reports', builtFor('company_setup', 'update')),
  town('/{provider}-sso-test', 'Provider Single Sign-On Test', builtFor('company_setup', 'update')),
  town('/manage/manage-General-payments', 'General Payments', builtFor('manage_other_payments')),
  // Ours: the fields of one payment type.
  town('/manage/manage-General-payments/{typeId}/fields', 'Fields', builtFor('manage_other_payments')),
  // Ours: what was paid by them.
  town('/reports/general-payments', 'General Payments Received', inMenuFor('money', 'transaction_management')),
  town('/manage/faqs', 'Frequently Asked Questions', builtFor('communication_management')),
  // Ours: what people looked for in vain.
  town('/manage/faqs/searches', 'Searches Without an Answer', inMenuFor('requests', 'communication_management')),
  town('/manage/manage-forms-and-docs', 'Forms and Documents', builtFor('manage_others_forms')),
  // Ours: the fields of one form.
  town('/manage/manage-forms-and-docs/{typeId}/fields', 'Fields of a Form', builtFor('manage_others_forms')),
  town('/manage/manage-forms-and-docs/{typeId}/fill', 'Fill In a Form', builtFor('manage_others_forms', 'update')),
  town('/manage/customer-communication', 'Customer Communications', builtFor('communication_management')),
  // Ours: what residents can report, and what is asked of it.
  town(
    '/manage/customer-communication/categories',
    'Categories of requests',
    inMenuFor('requests', 'communication_management'),
  ),
  town(
    '/manage/customer-communication/categories/{categoryId}/fields',
    'Questions',
    builtFor('communication_management'),
  ),
  town('/manage/parking-tickets', 'Parking Tickets', builtFor('transaction_management')),
  town('/manage/alerts', 'Alerts', builtFor('communication_management')),
  // Ours: what others warn of, and where it comes from.
  town('/manage/alerts/sources', 'Alerts of Others', builtFor('communication_management')),
  town('/manage/manage-resource-rentals', 'Resource Rentals', builtFor('manage_other_payments')),
  // Ours: what is asked of whoever reserves one thing.
  town(
    '/manage/manage-resource-rentals/{resourceId}/fields',
    'Questions of a Resource',
    builtFor('manage_other_payments'),
  ),
  // Ours: payments at the office, and the drawers that they go into.
  town('/manage/counter', 'Counter', inMenuFor('money', 'transaction_management', 'create')),
  town('/reports/arrangements', 'Payment Arrangements', inMenuFor('money', 'transaction_management')),
  town('/reports/drawers', 'Cash Drawers', inMenuFor('money', 'transaction_management')),
  // Ours: what residents pay by phone, and what comes through the bank.
  town('/reports/phone-payments', 'Pay by Phone', inMenuFor('money', 'transaction_management')),
  town('/manage/bank-payments', 'Bank Payments', inMenuFor('money', 'transaction_management')),
  town('/reports/reconciliation', 'Reconciliation', inMenuFor('money', 'transaction_management')),
  town('/reports/payouts', 'Payouts', inMenuFor('money', 'transaction_management')),
  town('/manage/bank-statements', 'Bank Statements', inMenuFor('money', 'transaction_management')),
  town('/reports/exceptions', 'Exceptions', inMenuFor('money', 'transaction_management')),
  // Ours: addresses, parcels, zones and the map.
  // Ours: what a payment costs on top, by day, and what the card networks allow.
  town('/manage/fee-rules', 'Fee Rules', inMenuFor('money', 'company_setup', 'update')),
  town('/manage/places', 'Places', inMenuFor('records', 'parcel_registration')),
  // Ours: files from and for the billing system.
  town('/manage/billing-files', 'Billing Files', inMenuFor('money', 'utility_management')),
  town('/manage/billing-files/remittances', 'Remittances', builtFor('utility_management')),
  town('/manage/billing-files/file', 'File of bills', builtFor('utility_management')),
  // Ours: the keys of programs that call by themselves.
  town('/manage/api-keys', 'API Keys', inMenuFor('records', 'company_setup', 'update')),
  // Ours: where requests of residents go by Open311.
  town('/manage/other-portals', 'Other Portals', inMenuFor('records', 'company_setup', 'update')),
])
