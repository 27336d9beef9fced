import { built, builtFor, inMenuFor, registerScreens, companyScreen } from '../screens.ts'

/** Screens for a company's staff (spec 2.2, 2.3). */
export const municipalityScreens = registerScreens([
  { ...companyScreen('/initialize-impersonation', 'Opening the portal', built), meta: { onlyMuni: true } },
  companyScreen('', 'Dashboard', builtFor('dashboard')),
  companyScreen('/work-orders', 'Work Orders', builtFor('communication_management')),
  companyScreen('/first-responder', 'First Responder', builtFor('communication_management')),
  // Not in the specification: inspections.
  companyScreen('/inspections', 'Inspections', inMenuFor('requests', 'communication_management')),
  companyScreen('/inspections/{templateId}/items', 'Inspection Items', builtFor('department_management', 'update')),
  // Not in the specification: work orders, inspections and hydrants for use on a phone. The screen also works offline.
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
  // Not in the specification: form fields of one registration type.
  companyScreen(
    '/reports/registration/{kind}/fields',
    'Registration Questions',
    builtFor('manage_other_registrations'),
  ),
  companyScreen('/reports/login', 'Login Report', builtFor('reports_management')),
  companyScreen('/reports/merchant-overview', 'Merchant Overview', inMenuFor('money', 'transaction_management')),
  // Not in the specification: the amounts for Form 1099-K, a tax form.
  companyScreen('/reports/form-1099k', 'Form 1099-K', inMenuFor('money', 'transaction_management')),
  // Not in the specification: refunds, including refunds that await approval.
  companyScreen('/reports/refunds', 'Refunds and Voids', inMenuFor('money', 'transaction_management')),
  companyScreen('/reports/payment-outages', 'Payment Outages', inMenuFor('money', 'transaction_management')),
  companyScreen('/reports/payment-outages/promises', 'Payments after an Outage', builtFor('transaction_management')),
  // Not in the specification: audit log of everyone's actions, for administrators of the municipality.
  companyScreen('/reports/audit-log', 'Audit Log', inMenuFor('records', 'company_setup', 'update')),
  // Not in the specification: emails and text messages with their delivery status.
  companyScreen('/reports/notices', 'Notifications', inMenuFor('records', 'communication_management')),
  companyScreen('/manage/manage-staff', 'Manage Municipality', builtFor('user_management')),
  companyScreen('/processor/reports', 'Processor Reports', builtFor('transaction_management')),
  // Not in the specification: the remaining steps until a payment provider lets the municipality accept payments.
  companyScreen('/processor/onboarding', 'Payment Provider Onboarding', inMenuFor('money', 'company_setup')),
  // Not in the specification: log of the people who opened processor reports.
  companyScreen('/processor/reports/accesses', 'Processor Report Access Log', builtFor('company_setup', 'update')),
  companyScreen('/{provider}-sso-test', 'Provider Single Sign-On Test', builtFor('company_setup', 'update')),
  companyScreen('/manage/manage-General-payments', 'General Payments', builtFor('manage_other_payments')),
  // Not in the specification: form fields of one payment type.
  companyScreen('/manage/manage-General-payments/{typeId}/fields', 'Fields', builtFor('manage_other_payments')),
  // Not in the specification: payments received, by payment type.
  companyScreen('/reports/general-payments', 'General Payments Received', inMenuFor('money', 'transaction_management')),
  companyScreen('/manage/faqs', 'Frequently Asked Questions', builtFor('communication_management')),
  // Not in the specification: searches by residents that had no results.
  companyScreen(
    '/manage/faqs/searches',
    'Searches Without an Answer',
    inMenuFor('requests', 'communication_management'),
  ),
  companyScreen('/manage/manage-forms-and-docs', 'Forms and Documents', builtFor('manage_others_forms')),
  // Not in the specification: fields of one form.
  companyScreen('/manage/manage-forms-and-docs/{typeId}/fields', 'Form Fields', builtFor('manage_others_forms')),
  companyScreen(
    '/manage/manage-forms-and-docs/{typeId}/fill',
    'Fill Out a Form',
    builtFor('manage_others_forms', 'update'),
  ),
  companyScreen('/manage/customer-communication', 'Customer Communications', builtFor('communication_management')),
  // Not in the specification: request categories and their form fields.
  companyScreen(
    '/manage/customer-communication/categories',
    'Request categories',
    inMenuFor('requests', 'communication_management'),
  ),
  companyScreen(
    '/manage/customer-communication/categories/{categoryId}/fields',
    'Questions',
    builtFor('communication_management'),
  ),
  companyScreen('/manage/parking-tickets', 'Parking Tickets', builtFor('transaction_management')),
  companyScreen('/manage/alerts', 'Alerts', builtFor('communication_management')),
  // Not in the specification: alerts from external sources, and the list of these sources.
  companyScreen('/manage/alerts/sources', 'External Alerts', builtFor('communication_management')),
  companyScreen('/manage/manage-resource-rentals', 'Resource Rentals', builtFor('manage_other_payments')),
  // Not in the specification: form fields of one rental resource.
  companyScreen(
    '/manage/manage-resource-rentals/{resourceId}/fields',
    'Resource Questions',
    builtFor('manage_other_payments'),
  ),
  // Not in the specification: counter payments and cash drawers.
  companyScreen('/manage/counter', 'Counter', inMenuFor('money', 'transaction_management', 'create')),
  companyScreen('/reports/arrangements', 'Payment Arrangements', inMenuFor('money', 'transaction_management')),
  companyScreen('/reports/drawers', 'Cash Drawers', inMenuFor('money', 'transaction_management')),
  // Not in the specification: phone payments and lockbox payments.
  companyScreen('/reports/phone-payments', 'Pay by Phone', inMenuFor('money', 'transaction_management')),
  companyScreen('/manage/bank-payments', 'Lockbox Payments', inMenuFor('money', 'transaction_management')),
  companyScreen('/reports/reconciliation', 'Reconciliation', inMenuFor('money', 'transaction_management')),
  companyScreen('/reports/payouts', 'Payouts', inMenuFor('money', 'transaction_management')),
  companyScreen('/manage/bank-statements', 'Bank Statements', inMenuFor('money', 'transaction_management')),
  companyScreen('/reports/exceptions', 'Exceptions', inMenuFor('money', 'transaction_management')),
  // Not in the specification: fee rules, and locations: addresses, parcels, zones and the map.
  companyScreen('/manage/fee-rules', 'Fee Rules', inMenuFor('money', 'company_setup', 'update')),
  companyScreen('/manage/places', 'Places', inMenuFor('records', 'parcel_registration')),
  // Not in the specification: files received from the billing system and files for it.
  companyScreen('/manage/billing-files', 'Billing Files', inMenuFor('money', 'utility_management')),
  companyScreen('/manage/billing-files/remittances', 'Remittances', builtFor('utility_management')),
  companyScreen('/manage/billing-files/file', 'Billing file', builtFor('utility_management')),
  // Not in the specification: API keys for other programs.
  companyScreen('/manage/api-keys', 'API Keys', inMenuFor('records', 'company_setup', 'update')),
  // Not in the specification: other portals that receive requests through Open311.
  companyScreen('/manage/other-portals', 'Other Portals', inMenuFor('records', 'company_setup', 'update')),
])
