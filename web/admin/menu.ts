import { msg } from '@lingui/core/macro'
import { isBuilt } from '../../shared/screens.ts'

/** The side menu in the specification's order (2.12), and what it lacks for those who may see that: the demo's outbox too. */
export const menuFor = ({
  mayReport,
  maySupport,
  mayAudit,
  mayReadMail,
}: Record<'mayReport' | 'maySupport' | 'mayAudit' | 'mayReadMail', boolean>) => [
  ...menu.filter(({ path }) => (mayReport || !reports.has(path)) && (maySupport || path !== SUPPORT)),
  ...(mayAudit ? [{ path: '/admin/reports/audit-log', label: msg`Audit Log` }] : []),
  ...(mayReadMail ? [{ path: '/admin/outbox', label: msg`Outbox` }] : []),
]

/** Of those who may see the platform's reports. */
const reports = new Set(['/admin/fee/report', '/admin/profit/report', '/admin/reconciliation', '/admin/analyitics'])
/** Ours, and for those who may read requests. */
const SUPPORT = '/admin/support'

const menu = [
  { path: '/admin', label: msg`Home` },
  { path: '/admin/customer/lookup', label: msg`Customer Look Up` },
  { path: '/admin/manage/manage-staff', label: msg`Manage Admin Users` },
  { path: SUPPORT, label: msg`Support Requests` },
  { path: '/admin/fee/report', label: msg`Convenience Fee Report` },
  { path: '/admin/profit/report', label: msg`Profit and Loss Report` },
  { path: '/admin/manage/provider/onboarding', label: msg`Payment Provider Onboarding` },
  { path: '/admin/master/calendar', label: msg`Master Calendar` },
  { path: '/admin/reconciliation', label: msg`Reconciliation` },
  { path: '/admin/analyitics', label: msg`Analytics` },
].filter(({ path }) => isBuilt(path))
