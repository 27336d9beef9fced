import { msg } from '@lingui/core/macro'
import { moreInMenu } from '../../shared/screens.ts'
import { page } from '../page.ts'
import type { MenuPart } from '../office/SideMenu.tsx'

const entries = [
  { path: '/admin', label: msg`Home` },
  { path: '/admin/customer/lookup', label: msg`Customer Look Up` },
  { path: '/admin/manage/manage-staff', label: msg`Manage Admin Users` },
  { path: '/admin/support', label: msg`Support Requests` },
  { path: '/admin/fee/report', label: msg`Convenience Fee Report` },
  { path: '/admin/profit/report', label: msg`Profit and Loss Report` },
  { path: '/admin/manage/provider/onboarding', label: msg`Payment Provider Onboarding` },
  { path: '/admin/master/calendar', label: msg`Master Calendar` },
  { path: '/admin/reconciliation', label: msg`Reconciliation` },
  { path: '/admin/analyitics', label: msg`Analytics` },
  ...moreInMenu('admin', 'records'),
  ...(page().demo
    ? [
        { path: '/admin/outbox', label: msg`Outbox` },
        { path: '/admin/outbox/texts', label: msg`Sandbox Phones` },
        { path: '/admin/outbox/calls', label: msg`Sandbox Calls` },
      ]
    : []),
]

/**
 * The side menu in the specification's order (2.12), with additions: support requests, audit log, the demo's outbox.
 */
export const menu: readonly MenuPart[] = [{ entries }]
