import { msg } from '@lingui/core/macro'
import { moreInMenu } from '../../shared/screens.ts'
import { logMenuClick } from './log-menu-click.ts'
import type { MenuPart } from '../office/SideMenu.tsx'

/**
 * Side menu in the order of the specification (2.10), with additions. The blank entry of the specification holds the
 * entries that the person pinned.
 */
export const menu: readonly MenuPart[] = [
  {
    entries: [
      { path: '/municipality', label: msg`Home` },
      { path: '/municipality/schedule', label: msg`Schedule` },
      { path: '/municipality/reports/customers/citizen', label: msg`Utility Customers` },
    ],
  },
  { isPinned: true, entries: [] },
  {
    entries: [
      { path: '/municipality/manage/alerts', label: msg`Alerts` },
      { path: '/municipality/reports/Autopay', label: msg`AutoPay` },
      { path: '/municipality/reports/autopay-removals', label: msg`AutoPay Removals` },
      { path: '/municipality/manage/customer-communication', label: msg`Customer Communications` },
      { path: '/municipality/manage/manage-forms-and-docs', label: msg`Forms and Documents` },
      { path: '/municipality/manage/manage-General-payments', label: msg`General Payments` },
      { path: '/municipality/manage/manage-staff', label: msg`Manage Municipality` },
      { path: '/municipality/manage/settings', label: msg`Settings` },
      { path: '/municipality/manage/faqs', label: msg`Frequently Asked Questions` },
      { path: '/municipality/reports/move-in-out', label: msg`Move In and Out` },
      { path: '/municipality/manage/parking-tickets', label: msg`Parking Tickets` },
      { path: '/municipality/reports/payments', label: msg`Payment Transaction Report` },
      { path: '/municipality/processor/reports', label: msg`Processor Reports`, onOpen: logMenuClick },
      { path: '/municipality/reports/registration', label: msg`Registration Reports` },
      { path: '/municipality/manage/manage-resource-rentals', label: msg`Resource Rentals` },
      { path: '/municipality/work-orders', label: msg`Work Orders` },
      { path: '/municipality/first-responder', label: msg`First Responder` },
    ],
  },
  { heading: msg`Money`, fold: 'money', entries: moreInMenu('municipality', 'money') },
  { heading: msg`Requests and inspections`, fold: 'requests', entries: moreInMenu('municipality', 'requests') },
  { heading: msg`Records`, fold: 'records', entries: moreInMenu('municipality', 'records') },
]
