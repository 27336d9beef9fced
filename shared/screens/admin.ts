import { built, builtFor, inMenuFor, registerScreens, platformScreen } from '../screens.ts'

/** Screens of the platform (spec 2.4). */
export const adminScreens = registerScreens([
  { ...platformScreen('/sign-in', 'Admin Login', built), meta: { onlyAdmin: true } },
  platformScreen('', 'Companies', builtFor('company_setup')),
  platformScreen('/{companyId}/company/information', 'Company Information', builtFor('company_setup')),
  // Not in the specification: staff, departments and privileges of one company.
  platformScreen('/{companyId}/company/staff', 'Manage Municipality', builtFor('user_management')),
  platformScreen('/{companyId}/company/starter-packs', 'Starter Packs', builtFor('company_setup', 'update')),
  platformScreen('/customer/lookup', 'Customer Look Up', builtFor('user_management')),
  platformScreen('/manage/manage-forms-and-docs', 'Forms and Documents', builtFor('manage_others_forms')),
  platformScreen('/fee/report', 'Convenience Fee Report', builtFor('reports_admin')),
  platformScreen('/profit/report', 'Profit and Loss Report', builtFor('reports_admin')),
  platformScreen('/master/calendar', 'Master Calendar', builtFor('dashboard')),
  platformScreen('/manage/{provider}/onboarding', 'Payment Provider Onboarding', builtFor('company_setup')),
  platformScreen('/reconciliation', 'Reconciliation', builtFor('reports_admin')),
  platformScreen('/reconciliation/municipalities', 'Reconciliation by municipality', builtFor('reports_admin')),
  platformScreen('/reconciliation/outages', 'Payment provider outages', builtFor('reports_admin')),
  platformScreen('/manage/manage-staff', 'Manage Admin Users', builtFor('user_management')),
  // Not in the specification: support requests.
  platformScreen('/support', 'Support Requests', builtFor('communication_management')),
  platformScreen('/analyitics', 'Analytics', { ...builtFor('reports_admin'), aliases: ['/admin/analytics'] }),
  // Not in the specification: audit log of the platform and of each company.
  platformScreen('/reports/audit-log', 'Audit Log', inMenuFor('records', 'company_setup', 'update')),
  // Not in the specification: columns of the files of billing systems.
  platformScreen('/import-presets', 'Import Presets', inMenuFor('records', 'company_setup')),
  // Available only in the demo. Other installations return 404.
  platformScreen('/outbox', 'Outbox', builtFor('forgot_change_password')),
  platformScreen('/outbox/texts', 'Sandbox Phones', builtFor('forgot_change_password')),
])
