import { defineStateMachine } from '../../shared/machine.ts'

const create = ['alerts', 'create'] as const
const update = ['alerts', 'update'] as const

/**
 * States of an alert: draft, sent when due, and ended by time, all-clear or cancellation. A follow-up (update,
 * cancellation or all-clear) is a separate alert. It changes the first alert when it is sent.
 */
export const alertStates = defineStateMachine('alert', {
  states: {
    draft: { label: 'Draft', kind: 'attention', open: true },
    waiting: { label: 'Awaiting approval', kind: 'attention', open: true },
    scheduled: { label: 'Scheduled', kind: 'waiting', open: true },
    sending: { label: 'Sending', kind: 'waiting', open: true },
    sent: { label: 'Active', kind: 'good' },
    updated: { label: 'Active, updated', kind: 'good' },
    cancelled: { label: 'Cancelled', kind: 'undone' },
    ended: { label: 'Ended', kind: 'neutral' },
  },
  steps: {
    write: { from: [], to: 'draft', by: ['staff', 'system'], permission: create, audit: 'alert.written' },
    submit: {
      from: ['draft'],
      to: ['waiting', 'scheduled'],
      by: ['staff', 'system'],
      permission: update,
      audit: 'alert.submitted',
    },
    approve: {
      from: ['waiting'],
      to: 'scheduled',
      by: ['staff'],
      permission: update,
      label: 'Approve and send',
      done: 'was approved. It will go out immediately or at its scheduled time.',
      audit: 'alert.approved',
    },
    return_to_author: {
      from: ['waiting'],
      to: 'draft',
      by: ['staff', 'system'],
      permission: update,
      reason: true,
      label: 'Return to author',
      done: 'is a draft again.',
      audit: 'alert.returned_to_author',
    },
    withdraw: {
      from: ['scheduled'],
      to: 'draft',
      by: ['staff', 'system'],
      permission: update,
      label: 'Withdraw',
      done: 'is a draft again. No one will receive it.',
      audit: 'alert.withdrawn',
    },
    start: { from: ['scheduled'], to: 'sending', by: ['system'], audit: 'alert.started' },
    finish: { from: ['sending'], to: 'sent', by: ['system'], audit: 'alert.sent' },
    update: { from: ['sent', 'updated'], to: 'updated', by: ['system'], audit: 'alert.updated' },
    cancel: { from: ['sent', 'updated'], to: 'cancelled', by: ['system'], audit: 'alert.cancelled' },
    end: { from: ['sent', 'updated'], to: 'ended', by: ['system'], audit: 'alert.ended' },
  },
})

/**
 * States of a message from an alert source. Staff or the portal turn it into an alert, or staff dismiss it. A later
 * message about the same alert removes it from review.
 */
export const receivedStates = defineStateMachine('received_alert', {
  states: {
    waiting: { label: 'Pending review', kind: 'attention', open: true },
    released: { label: 'Alert created', kind: 'good' },
    dismissed: { label: 'Dismissed', kind: 'neutral' },
    superseded: { label: 'Superseded', kind: 'undone' },
    filtered_out: { label: 'Filtered out', kind: 'neutral' },
  },
  steps: {
    receive: { from: [], to: 'waiting', by: ['system'], audit: 'alert_source.received' },
    filter_out: { from: [], to: 'filtered_out', by: ['system'], audit: 'alert_source.filtered_out' },
    release: {
      from: ['waiting'],
      to: 'released',
      by: ['staff', 'system'],
      permission: update,
      label: 'Create alert',
      confirm:
        'This message will become a draft alert. If it changes an earlier alert, the recipients of that alert will be notified.',
      audit: 'alert_source.released',
    },
    dismiss: {
      from: ['waiting'],
      to: 'dismissed',
      by: ['staff'],
      permission: update,
      label: 'Dismiss',
      confirm: 'No resident will receive this message.',
      done: 'was dismissed.',
      audit: 'alert_source.dismissed',
    },
    expire: { from: ['waiting'], to: 'filtered_out', by: ['system'], audit: 'alert_source.filtered_out' },
    supersede: { from: ['waiting'], to: 'superseded', by: ['system'], audit: 'alert_source.superseded' },
  },
})
