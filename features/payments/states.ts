import { defineStateMachine, type StateOf } from '../../shared/machine.ts'
import { orderStatus } from './rules.ts'

/** States of an order (spec 4.6). Most transitions follow a change of the charge at the provider. */
export const orderStates = defineStateMachine('order', {
  states: {
    [orderStatus.pending]: { label: 'Pending', kind: 'waiting', open: true },
    [orderStatus.success]: { label: 'Successful', kind: 'good' },
    [orderStatus.declined]: { label: 'Declined', kind: 'bad' },
    [orderStatus.refund]: { label: 'Refunded', kind: 'undone' },
    [orderStatus.void]: { label: 'Void', kind: 'undone' },
  },
  steps: {
    created: { from: [], to: orderStatus.pending, by: ['requester', 'staff', 'system'], audit: 'payment.created' },
    captured: { from: [orderStatus.pending], to: orderStatus.success, by: ['system'], audit: 'payment.captured' },
    declined: { from: [orderStatus.pending], to: orderStatus.declined, by: ['system'], audit: 'payment.declined' },
    expired: { from: [orderStatus.pending], to: orderStatus.declined, by: ['system'], audit: 'payment.expired' },
    cancelled: {
      from: [orderStatus.pending],
      to: orderStatus.void,
      by: ['requester', 'staff'],
      audit: 'payment.cancelled',
    },
    voided: { from: [orderStatus.success], to: orderStatus.void, by: ['system'], audit: 'payment.voided' },
    refunded: {
      from: [orderStatus.success],
      to: [orderStatus.declined, orderStatus.refund],
      by: ['system'],
      audit: 'payment.refunded',
    },
    chargeback_lost: {
      from: [orderStatus.success],
      to: [orderStatus.declined, orderStatus.refund],
      by: ['system'],
      audit: 'payment.chargeback_lost',
    },
    returned: {
      from: [orderStatus.success, orderStatus.refund],
      to: orderStatus.declined,
      by: ['system'],
      audit: 'payment.returned',
    },
    new_attempt: {
      from: [orderStatus.declined],
      to: orderStatus.pending,
      by: ['requester', 'staff'],
      audit: 'payment.new_attempt',
    },
    corrected: {
      from: [orderStatus.declined, orderStatus.refund, orderStatus.void],
      to: orderStatus.success,
      by: ['system'],
      audit: 'payment.corrected',
    },
    refund_failed: {
      from: [orderStatus.declined, orderStatus.refund],
      to: orderStatus.success,
      by: ['system'],
      audit: 'payment.refund_failed',
    },
  },
})

export type OrderStatus = StateOf<typeof orderStates>

/** Labels of the order states, by the status number of a database row. */
export const orderStatusLabels: Readonly<Record<number, string>> = orderStates.labels

const approves = { permission: ['refunds', 'update'] } as const
const requests = { permission: ['refunds', 'create'] } as const

/** States of a refund. If the company requires approval, the portal sends the refund after the approval. */
export const refundStates = defineStateMachine('refund', {
  states: {
    waiting: { label: 'Needs approval', kind: 'attention', open: true },
    sending: { label: 'Processing', kind: 'waiting', open: true },
    done: { label: 'Refunded', kind: 'good' },
    declined: { label: 'Not approved', kind: 'undone' },
    failed: { label: 'Failed', kind: 'bad' },
  },
  steps: {
    request: { from: [], to: 'waiting', by: ['staff'], ...requests, audit: 'payment.refund_requested' },
    send: { from: [], to: 'sending', by: ['staff'], ...requests, audit: 'payment.refund_sent' },
    follow: { from: [], to: 'sending', by: ['system'], audit: 'payment.fee_follows' },
    approve: {
      from: ['waiting'],
      to: 'sending',
      by: ['staff'],
      ...approves,
      label: 'Approve',
      confirm: 'The payer will receive the refund and an email about it.',
      audit: 'payment.refund_approved',
    },
    decline: {
      from: ['waiting'],
      to: 'declined',
      by: ['staff'],
      ...approves,
      reason: true,
      label: 'Decline',
      done: 'was not approved. Nothing was refunded.',
      audit: 'payment.refund_declined',
    },
    // Only the cashier with the open drawer that pays out the void can take this step.
    agree: {
      from: ['waiting'],
      to: 'sending',
      by: ['staff'],
      permission: ['counter', 'create'],
      audit: 'payment.void_agreed',
    },
    disagree: {
      from: ['waiting'],
      to: 'declined',
      by: ['staff'],
      permission: ['counter', 'create'],
      reason: true,
      audit: 'payment.void_not_agreed',
    },
    arrive: { from: ['sending'], to: 'done', by: ['system'], audit: 'payment.refund_arrived' },
    // The payer's bank may refuse a refund days after the provider sent it.
    fail: { from: ['sending', 'done'], to: 'failed', by: ['system'], audit: 'payment.refund_refused' },
  },
})
export type RefundStatus = StateOf<typeof refundStates>

/** States of a separate fee after its bill is paid. A later refund of the fee does not change the state. */
export const feeStates = defineStateMachine('fee', {
  states: {
    waiting: { label: 'Processing', kind: 'waiting', open: true },
    charged: { label: 'Charged', kind: 'good' },
    owed: { label: 'Owed', kind: 'attention', open: true },
    waived: { label: 'Waived', kind: 'undone' },
    dropped: { label: 'Not owed', kind: 'undone' },
  },
  steps: {
    start: { from: [], to: 'waiting', by: ['system'], audit: 'payment.fee_started' },
    charge: {
      from: ['waiting', 'owed', 'waived', 'dropped'],
      to: 'charged',
      by: ['system'],
      audit: 'payment.fee_charged',
    },
    fail: { from: ['waiting'], to: 'owed', by: ['system'], audit: 'payment.fee_failed' },
    again: {
      from: ['owed'],
      to: 'waiting',
      by: ['staff'],
      permission: ['adjustments', 'update'],
      label: 'Charge fee again',
      audit: 'payment.fee_retried',
    },
    waive: {
      from: ['owed'],
      to: 'waived',
      by: ['staff'],
      permission: ['adjustments', 'update'],
      reason: true,
      label: 'Waive fee',
      done: 'was waived. The payer no longer owes it.',
      audit: 'payment.fee_waived',
    },
    drop: { from: ['waiting', 'owed'], to: 'dropped', by: ['system'], audit: 'payment.fee_dropped' },
  },
})
export type FeeStatus = StateOf<typeof feeStates>
