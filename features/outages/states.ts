import { defineStateMachine, type StateOf } from '../../shared/machine.ts'

/** State machine of a deferred payment, from the payment attempt during an outage to the outcome after it. */
export const deferredPaymentStates = defineStateMachine('deferred_payment', {
  states: {
    noted: { label: 'Attempted', kind: 'neutral' },
    waiting: { label: 'Waiting', kind: 'waiting', open: true },
    charging: { label: 'Processing', kind: 'waiting', open: true },
    reminded: { label: 'Link sent', kind: 'attention', open: true },
    paid: { label: 'Paid', kind: 'good' },
    failed: { label: 'Failed', kind: 'bad' },
    not_owed: { label: 'Not owed', kind: 'neutral' },
    changed: { label: 'Not charged', kind: 'attention' },
    withdrawn: { label: 'Withdrawn', kind: 'undone' },
  },
  steps: {
    note: { from: [], to: 'noted', by: ['requester', 'system'], audit: 'payment.outage_attempt' },
    defer: { from: [], to: 'waiting', by: ['requester'], audit: 'payment.deferred' },
    start: { from: ['waiting'], to: 'charging', by: ['system'], audit: 'payment.deferred_started' },
    wait: { from: ['charging'], to: 'waiting', by: ['system'], audit: 'payment.deferred_waits' },
    remind: { from: ['waiting'], to: 'reminded', by: ['system'], audit: 'payment.deferred_reminded' },
    pay: { from: ['charging', 'reminded'], to: 'paid', by: ['system'], audit: 'payment.deferred_paid' },
    fail: { from: ['charging', 'waiting'], to: 'failed', by: ['system'], audit: 'payment.deferred_failed' },
    drop: { from: ['waiting'], to: 'not_owed', by: ['system'], audit: 'payment.deferred_not_owed' },
    change: { from: ['waiting'], to: 'changed', by: ['system'], audit: 'payment.deferred_changed' },
    withdraw: { from: ['waiting'], to: 'withdrawn', by: ['requester'], audit: 'payment.deferred_withdrawn' },
  },
})
export type DeferredPaymentState = StateOf<typeof deferredPaymentStates>

/** Choices of the payer for a deferred payment. */
export const deferredActions = {
  note: 'Attempt recorded',
  charge: 'Charge later',
  remind: 'Send a link',
  autopay: 'AutoPay on hold',
} as const
export type DeferredAction = keyof typeof deferredActions
