import { defineStates, type StateOf } from '../../shared/machine.ts'

const right = ['transaction_management', 'update'] as const

/** What staff give back of a payment: it waits for a second person where the town wants one, and is sent to the provider. */
export const refundStates = defineStates('refund', {
  states: {
    waiting: { label: 'Waiting for a second person', kind: 'attention', open: true },
    sending: { label: 'On its way', kind: 'waiting', open: true },
    done: { label: 'Given back', kind: 'good' },
    declined: { label: 'Not approved', kind: 'undone' },
    failed: { label: 'Failed', kind: 'bad' },
  },
  steps: {
    ask: { from: [], to: 'waiting', by: ['staff'], right, audit: 'payment.refund_asked' },
    send: { from: [], to: 'sending', by: ['staff'], right, audit: 'payment.refund_sent' },
    approve: {
      from: ['waiting'],
      to: 'sending',
      by: ['staff'],
      right,
      label: 'Approve',
      audit: 'payment.refund_approved',
    },
    decline: {
      from: ['waiting'],
      to: 'declined',
      by: ['staff'],
      right,
      reason: true,
      label: 'Decline',
      done: 'was not approved. Nothing is given back.',
      audit: 'payment.refund_declined',
    },
    arrive: { from: ['sending'], to: 'done', by: ['system'], audit: 'payment.refund_arrived' },
    fail: { from: ['sending'], to: 'failed', by: ['system'], audit: 'payment.refund_refused' },
  },
})
export type RefundStatus = StateOf<typeof refundStates>
