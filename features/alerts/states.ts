import { defineStateMachine } from '../../shared/machine.ts'

const create = ['communication_management', 'create'] as const
const update = ['communication_management', 'update'] as const

/**
 * States of an alert: written, sent when due, and ended by time, all-clear or cancellation. A follow-up (update,
 * cancellation or all-clear) is a separate alert that changes the first one when it is sent.
 */
export const alertStates = defineStateMachine('alert', {
  states: {
    draft: { label: 'Draft', kind: 'attention', open: true },
    waiting: { label: 'Waiting for a second person', kind: 'attention', open: true },
    scheduled: { label: 'Scheduled', kind: 'waiting', open: true },
    sending: { label: 'Being sent', kind: 'waiting', open: true },
    sent: { label: 'In force', kind: 'good' },
    updated: { label: 'In force, updated', kind: 'good' },
    cancelled: { label: 'Cancelled', kind: 'undone' },
    ended: { label: 'Ended', kind: 'neutral' },
  },
  steps: {
    write: { from: [], to: 'draft', by: ['staff', 'system'], right: create, audit: 'alert.written' },
    submit: {
      from: ['draft'],
      to: ['waiting', 'scheduled'],
      by: ['staff', 'system'],
      right: update,
      audit: 'alert.submitted',
    },
    approve: {
      from: ['waiting'],
      to: 'scheduled',
      by: ['staff'],
      right: update,
      label: 'Approve and send',
      done: 'is approved and leaves when it is due.',
      audit: 'alert.approved',
    },
    return_to_author: {
      from: ['waiting'],
      to: 'draft',
      by: ['staff', 'system'],
      right: update,
      reason: true,
      label: 'Send back',
      done: 'is a draft again.',
      audit: 'alert.returned_to_author',
    },
    withdraw: {
      from: ['scheduled'],
      to: 'draft',
      by: ['staff', 'system'],
      right: update,
      label: 'Take it back',
      done: 'is a draft again and goes to nobody.',
      audit: 'alert.withdrawn',
    },
    start: { from: ['scheduled'], to: 'sending', by: ['system'], audit: 'alert.begun' },
    finish: { from: ['sending'], to: 'sent', by: ['system'], audit: 'alert.sent' },
    update: { from: ['sent', 'updated'], to: 'updated', by: ['system'], audit: 'alert.updated' },
    cancel: { from: ['sent', 'updated'], to: 'cancelled', by: ['system'], audit: 'alert.cancelled' },
    end: { from: ['sent', 'updated'], to: 'ended', by: ['system'], audit: 'alert.ended' },
  },
})

/**
 * States of a received message. Staff or the portal release it, or dismiss it. A later change removes it from review.
 */
export const receivedStates = defineStateMachine('received_alert', {
  states: {
    waiting: { label: 'To be released', kind: 'attention', open: true },
    released: { label: 'Taken over', kind: 'good' },
    dismissed: { label: 'Not taken over', kind: 'neutral' },
    superseded: { label: 'Changed by a later one', kind: 'undone' },
    filtered_out: { label: 'Left out', kind: 'neutral' },
  },
  steps: {
    receive: { from: [], to: 'waiting', by: ['system'], audit: 'alert_source.received' },
    filter_out: { from: [], to: 'filtered_out', by: ['system'], audit: 'alert_source.filtered_out' },
    release: {
      from: ['waiting'],
      to: 'released',
      by: ['staff', 'system'],
      right: update,
      label: 'Take it over',
      confirm: 'A draft is made of it. If it changes an earlier alert, those who got that one are told.',
      audit: 'alert_source.released',
    },
    dismiss: {
      from: ['waiting'],
      to: 'dismissed',
      by: ['staff'],
      right: update,
      label: 'Don’t take it over',
      confirm: 'Nobody here is told of this message.',
      done: 'is not taken over.',
      audit: 'alert_source.dismissed',
    },
    expire: { from: ['waiting'], to: 'filtered_out', by: ['system'], audit: 'alert_source.filtered_out' },
    supersede: { from: ['waiting'], to: 'superseded', by: ['system'], audit: 'alert_source.superseded' },
  },
})
