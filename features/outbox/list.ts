import * as z from 'zod/mini'
import { choice, defineList, fact, instant, text, whole } from '../../shared/list.ts'
import { callStates, deliveries, textDeliveries } from './rules.ts'

/** Emails stored in the demo, of all companies, newest first. */
export const outboxEmails = defineList('admin/return/outbox/emails', 'Outbox', {
  nouns: ['email', 'emails'],
  summary: 'Lists the stored demo emails',
  access: { audience: 'platform', privilege: ['forgot_change_password', 'view'] },
  columns: {
    at: instant('Time', { sort: 'desc' }),
    subject: text('Subject', { primary: true }),
    to: text('To'),
    company: text('Municipality', { group: true }),
    delivery: choice('Delivery', deliveries, { group: true }),
    reason: text('Reason'),
    companyId: fact(z.number()),
  },
  search: 'Search',
})

/** Text messages to and from sandbox phones, newest first. */
export const sandboxTexts = defineList('admin/return/sandbox/texts', 'Sandbox Phones', {
  nouns: ['text', 'texts'],
  summary: 'Lists the text messages to and from sandbox phones',
  access: { audience: 'platform', privilege: ['forgot_change_password', 'view'] },
  columns: {
    at: instant('Time', { sort: 'desc' }),
    body: text('Text', { primary: true, chars: 60 }),
    phone: text('Phone'),
    direction: choice('Direction', textDeliveries, { group: true }),
    status: text('Status', { group: true }),
    error: text('Code', { priority: 4 }),
    portal: fact(z.string()),
  },
  search: 'Search',
})

/** Calls to sandbox phones, newest first. */
export const sandboxCalls = defineList('admin/return/sandbox/calls', 'Sandbox Calls', {
  nouns: ['call', 'calls'],
  summary: 'Lists the calls to sandbox phones with their text',
  access: { audience: 'platform', privilege: ['forgot_change_password', 'view'] },
  columns: {
    at: instant('Time', { sort: 'desc' }),
    phone: text('Phone', { primary: true }),
    status: choice('Status', callStates, { group: true }),
    answeredBy: text('Answered by', { priority: 3 }),
    pressed: text('Key pressed', { priority: 2 }),
    seconds: whole('Duration in seconds', { priority: 3 }),
    text: text('Spoken text', { chars: 60 }),
    portal: fact(z.string()),
  },
  search: 'Search',
})
