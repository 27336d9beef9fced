import { built, builtFor, inMenuFor, registerScreens, companyScreen } from '../screens.ts'

/** Screens for a company's staff (spec 2.2, 2.3). */
export const municipalityScreens = registerScreens([
  { ...companyScreen('/initialize-impersonation', 'Opening the portal', built), meta: { onlyMuni: true } },
  companyScreen('', 'Dashboard', builtFor('dashboard')),
  companyScreen('/work-orders', 'Work Orders', builtFor('work_orders')),
  companyScreen('/first-responder', 'First Responder', builtFor('hydrants')),
  // Not in the specification: inspections.
  companyScreen('/inspections', 'Inspections', inMenuFor('requests', 'inspections')),
  companyScreen('/inspections/{templateId}/items', 'Inspection Items', builtFor('inspections', 'delete')),
  // Not in the specification: work orders, inspections and hydrants for use on a phone. The screen also works offline.
  companyScreen('/field', 'In the Field', inMenuFor('requests', 'field_work')),
  companyScreen('/schedule', 'Schedule', builtFor('dashboard')),
  companyScreen('/reports/customers/citizen', 'Utility Customers', builtFor('customers')),
  companyScreen('/reports/customers/property', 'Property Customers', builtFor('customers')),
  companyScreen('/reports/payments', 'Payment Transaction Report', builtFor('payments')),
  companyScreen('/reports/communication', 'Communication Report', builtFor('requests')),
  companyScreen('/reports/alerts', 'Alerts Report', builtFor('alerts')),
  companyScreen('/reports/forms-and-docs', 'Forms and Documents Report', builtFor('submissions')),
  companyScreen('/reports/parking-ticket', 'Parking Ticket Report', builtFor('parking')),
  companyScreen('/reports/move-in-out', 'Move In and Out', builtFor('moves')),
  companyScreen('/reports/autopay', 'AutoPay', builtFor('reports')),
  companyScreen('/reports/autopay-removals', 'AutoPay Removals', builtFor('reports')),
  companyScreen('/reports/registration', 'Registration Reports', builtFor('registration')),
  // Not in the specification: form fields of one registration type.
  companyScreen('/reports/registration/{kind}/fields', 'Registration Questions', builtFor('registration')),
  companyScreen('/reports/login', 'Login Report', builtFor('reports')),
  companyScreen('/reports/merchant-overview', 'Merchant Overview', inMenuFor('money', 'merchant_reports')),
  // Not in the specification: the amounts for Form 1099-K, a tax form.
  companyScreen('/reports/form-1099k', 'Form 1099-K', inMenuFor('money', 'merchant_reports')),
  // Not in the specification: refunds, including refunds that await approval.
  companyScreen('/reports/refunds', 'Refunds and Voids', inMenuFor('money', 'refunds')),
  companyScreen('/reports/payment-outages', 'Payment Outages', inMenuFor('money', 'payments')),
  companyScreen('/reports/payment-outages/promises', 'Payments after an Outage', builtFor('payments')),
  // Not in the specification: audit log of everyone's actions, for administrators of the municipality.
  companyScreen('/reports/audit-log', 'Audit Log', inMenuFor('records', 'audit')),
  // Not in the specification: emails and text messages with their delivery status.
  companyScreen('/reports/notices', 'Notifications', inMenuFor('records', 'alerts')),
  companyScreen('/manage/manage-staff', 'Manage Municipality', builtFor('staff')),
  companyScreen('/processor/reports', 'Processor Reports', builtFor('merchant_reports')),
  // Not in the specification: the remaining steps until a payment provider lets the municipality accept payments.
  companyScreen('/processor/onboarding', 'Payment Provider Onboarding', inMenuFor('money', 'settings')),
  // Not in the specification: log of the people who opened processor reports.
  companyScreen('/processor/reports/accesses', 'Processor Report Access Log', builtFor('audit')),
  companyScreen('/{provider}-sso-test', 'Provider Single Sign-On Test', builtFor('integrations', 'update')),
  companyScreen('/manage/manage-General-payments', 'General Payments', builtFor('general_payments')),
  // Not in the specification: form fields of one payment type.
  companyScreen('/manage/manage-General-payments/{typeId}/fields', 'Fields', builtFor('general_payments')),
  // Not in the specification: payments received, by payment type.
  companyScreen('/reports/general-payments', 'General Payments Received', inMenuFor('money', 'payments')),
  companyScreen('/manage/faqs', 'Frequently Asked Questions', builtFor('faqs')),
  // Not in the specification: searches by residents that had no results.
  companyScreen('/manage/faqs/searches', 'Searches Without an Answer', inMenuFor('requests', 'faqs')),
  companyScreen('/manage/manage-forms-and-docs', 'Forms and Documents', builtFor('forms')),
  // Not in the specification: fields of one form.
  companyScreen('/manage/manage-forms-and-docs/{typeId}/fields', 'Form Fields', builtFor('forms')),
  companyScreen('/manage/manage-forms-and-docs/{typeId}/fill', 'Fill Out a Form', builtFor('submissions', 'update')),
  companyScreen('/manage/customer-communication', 'Customer Communications', builtFor('requests')),
  // Not in the specification: request categories and their form fields.
  companyScreen('/manage/customer-communication/categories', 'Request categories', inMenuFor('requests', 'requests')),
  companyScreen('/manage/customer-communication/categories/{categoryId}/fields', 'Questions', builtFor('requests')),
  companyScreen('/manage/parking-tickets', 'Parking Tickets', builtFor('parking')),
  companyScreen('/manage/alerts', 'Alerts', builtFor('alerts')),
  // Not in the specification: alerts from external sources, and the list of these sources.
  companyScreen('/manage/alerts/sources', 'External Alerts', builtFor('alerts')),
  companyScreen('/manage/manage-resource-rentals', 'Resource Rentals', builtFor('rentals')),
  // Not in the specification: form fields of one rental resource.
  companyScreen('/manage/manage-resource-rentals/{resourceId}/fields', 'Resource Questions', builtFor('rentals')),
  // Not in the specification: counter payments and cash drawers.
  companyScreen('/manage/counter', 'Counter', inMenuFor('money', 'counter', 'create')),
  companyScreen('/reports/arrangements', 'Payment Arrangements', inMenuFor('money', 'payments')),
  companyScreen('/reports/drawers', 'Cash Drawers', inMenuFor('money', 'counter')),
  // Not in the specification: phone payments and lockbox payments.
  companyScreen('/reports/phone-payments', 'Pay by Phone', inMenuFor('money', 'counter')),
  companyScreen('/manage/bank-payments', 'Lockbox Payments', inMenuFor('money', 'payments')),
  companyScreen('/reports/reconciliation', 'Reconciliation', inMenuFor('money', 'reconcile')),
  companyScreen('/reports/payouts', 'Payouts', inMenuFor('money', 'reconcile')),
  companyScreen('/manage/bank-statements', 'Bank Statements', inMenuFor('money', 'reconcile')),
  companyScreen('/reports/exceptions', 'Exceptions', inMenuFor('money', 'reconcile')),
  // Not in the specification: fee rules, and locations: addresses, parcels, zones and the map.
  companyScreen('/manage/settings', 'Settings', builtFor('settings')),
  companyScreen('/manage/starter-packs', 'Starter Packs', inMenuFor('records', 'settings', 'update')),
  // Not in the specification: staff try the portal as a resident.
  companyScreen('/manage/resident-preview', 'Resident Preview', builtFor('settings', 'update')),
  companyScreen('/manage/fee-rules', 'Fee Rules', inMenuFor('money', 'fees')),
  companyScreen('/manage/places', 'Places', inMenuFor('records', 'places')),
  // Not in the specification: files received from the billing system and files for it.
  companyScreen('/manage/billing-files', 'Billing Files', inMenuFor('money', 'billing_files')),
  companyScreen('/manage/billing-files/remittances', 'Remittances', builtFor('billing_files')),
  companyScreen('/manage/billing-files/file', 'Billing file', builtFor('billing_files')),
  // Not in the specification: imports of records and their undo.
  companyScreen('/manage/imports', 'Imports', inMenuFor('records', 'settings')),
  // Not in the specification: API keys for other programs.
  companyScreen('/manage/api-keys', 'API Keys', inMenuFor('records', 'integrations')),
  // Not in the specification: other portals that receive requests through Open311.
  companyScreen('/manage/other-portals', 'Other Portals', inMenuFor('records', 'integrations')),
])
