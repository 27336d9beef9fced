import { built, builtFor, inMenuFor, know, platform } from '../screens.ts'

/** Screens of the platform (spec 2.4). */
export const adminScreens = know([
  { ...platform('/sign-in', 'Admin Login', built), meta: { onlyAdmin: true } },
  platform('', 'Companies', builtFor('company_setup')),
  platform('/{companyId}/company/information', 'Company Information', builtFor('company_setup')),
  // Not in the specification: staff, departments and privileges of one company.
  platform('/{companyId}/company/staff', 'Manage Municipality', builtFor('user_management')),
  platform('/customer/lookup', 'Customer Look Up', builtFor('user_management')),
  platform('/manage/manage-forms-and-docs', 'Forms and Documents', builtFor('manage_others_forms')),
  platform('/fee/report', 'Convenience Fee Report', builtFor('reports_admin')),
  platform('/profit/report', 'Profit and Loss Report', builtFor('reports_admin')),
  platform('/master/calendar', 'Master Calendar', builtFor('dashboard')),
  platform('/manage/{provider}/onboarding', 'Payment Provider Onboarding', builtFor('company_setup')),
  platform('/reconciliation', 'Reconciliation', builtFor('reports_admin')),
  platform('/reconciliation/municipalities', 'Reconciliation by municipality', builtFor('reports_admin')),
  platform('/reconciliation/outages', 'Payment provider outages', builtFor('reports_admin')),
  platform('/manage/manage-staff', 'Manage Admin Users', builtFor('user_management')),
  // Not in the specification: support requests.
  platform('/support', 'Support Requests', builtFor('communication_management')),
  platform('/analyitics', 'Analytics', { ...builtFor('reports_admin'), aliases: ['/admin/analytics'] }),
  // Not in the specification: audit log of the platform and of each company.
  platform('/reports/audit-log', 'Audit Log', inMenuFor('records', 'company_setup', 'update')),
  // Available only in the demo. Other installations return 404.
  platform('/outbox', 'Outbox', builtFor('forgot_change_password')),
  platform('/outbox/texts', 'Sandbox Phones', builtFor('forgot_change_password')),
])
