import { defineStateMachine, type StateOf } from '../../shared/machine.ts'

/** States of an order (spec 4.6). Most transitions follow from the provider's news of its charges. */
export const orderStates = defineStateMachine('order', {
  states: {
    0: { label: 'Pending', kind: 'waiting', open: true },
    1: { label: 'Successful', kind: 'good' },
    2: { label: 'Declined', kind: 'bad' },
    3: { label: 'Refunded', kind: 'undone' },
    5: { label: 'Void', kind: 'undone' },
  },
  steps: {
    created: { from: [], to: 0, by: ['requester', 'staff', 'system'], audit: 'payment.created' },
    captured: { from: [0], to: 1, by: ['system'], audit: 'payment.captured' },
    declined: { from: [0], to: 2, by: ['system'], audit: 'payment.declined' },
    expired: { from: [0], to: 2, by: ['system'], audit: 'payment.expired' },
    cancelled: { from: [0], to: 5, by: ['requester', 'staff'], audit: 'payment.cancelled' },
    voided: { from: [1], to: 5, by: ['system'], audit: 'payment.voided' },
    refunded: { from: [1], to: [2, 3], by: ['system'], audit: 'payment.refunded' },
    chargeback_lost: { from: [1], to: [2, 3], by: ['system'], audit: 'payment.chargeback_lost' },
    returned: { from: [1, 3], to: 2, by: ['system'], audit: 'payment.returned' },
    new_attempt: { from: [2], to: 0, by: ['requester', 'staff'], audit: 'payment.new_attempt' },
    corrected: { from: [2, 3, 5], to: 1, by: ['system'], audit: 'payment.corrected' },
    refund_failed: { from: [2, 3], to: 1, by: ['system'], audit: 'payment.refund_failed' },
  },
})

export type OrderStatus = StateOf<typeof orderStates>

/** Labels for a status read from a row. */
export const orderStatusLabels: Readonly<Record<number, string>> = orderStates.labels

const right = ['transaction_management', 'update'] as const

/** States of a refund. It waits for an approver if the company requires one, and is then sent to the provider. */
export const refundStates = defineStateMachine('refund', {
  states: {
    waiting: { label: 'Needs approval', kind: 'attention', open: true },
    sending: { label: 'On its way', kind: 'waiting', open: true },
    done: { label: 'Given back', kind: 'good' },
    declined: { label: 'Not approved', kind: 'undone' },
    failed: { label: 'Failed', kind: 'bad' },
  },
  steps: {
    ask: { from: [], to: 'waiting', by: ['staff'], right, audit: 'payment.refund_requested' },
    send: { from: [], to: 'sending', by: ['staff'], right, audit: 'payment.refund_sent' },
    follow: { from: [], to: 'sending', by: ['system'], audit: 'payment.fee_follows' },
    approve: {
      from: ['waiting'],
      to: 'sending',
      by: ['staff'],
      right,
      label: 'Approve',
      confirm: 'The money goes back to the payer, who is told by email.',
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
    // Performed by the owner of the open drawer that pays the void.
    agree: {
      from: ['waiting'],
      to: 'sending',
      by: ['staff'],
      right: ['transaction_management', 'create'],
      audit: 'payment.void_agreed',
    },
    disagree: {
      from: ['waiting'],
      to: 'declined',
      by: ['staff'],
      right: ['transaction_management', 'create'],
      reason: true,
      audit: 'payment.void_not_agreed',
    },
    arrive: { from: ['sending'], to: 'done', by: ['system'], audit: 'payment.refund_arrived' },
    fail: { from: ['sending'], to: 'failed', by: ['system'], audit: 'payment.refund_refused' },
  },
})
export type RefundStatus = StateOf<typeof refundStates>

/** States of a separate fee, from the payment of its bill. A later refund of the fee does not change the state. */
export const feeStates = defineStateMachine('fee', {
  states: {
    waiting: { label: 'Being charged', kind: 'waiting', open: true },
    charged: { label: 'Charged', kind: 'good' },
    owed: { label: 'Owed', kind: 'attention', open: true },
    waived: { label: 'Waived', kind: 'undone' },
    dropped: { label: 'Not owed', kind: 'undone' },
  },
  steps: {
    begin: { from: [], to: 'waiting', by: ['system'], audit: 'payment.fee_started' },
    charge: {
      from: ['waiting', 'owed', 'waived', 'dropped'],
      to: 'charged',
      by: ['system'],
      audit: 'payment.fee_charged',
    },
    fail: { from: ['waiting'], to: 'owed', by: ['system'], audit: 'payment.fee_failed' },
    again: { from: ['owed'], to: 'waiting', by: ['staff'], right, label: 'Charge again', audit: 'payment.fee_retried' },
    waive: {
      from: ['owed'],
      to: 'waived',
      by: ['staff'],
      right,
      reason: true,
      label: 'Waive',
      done: 'is waived. Nobody is asked for it any more.',
      audit: 'payment.fee_waived',
    },
    drop: { from: ['waiting', 'owed'], to: 'dropped', by: ['system'], audit: 'payment.fee_dropped' },
  },
})
export type FeeStatus = StateOf<typeof feeStates>
