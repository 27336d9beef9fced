import { defineStates } from '../../shared/machine.ts'

/**
 * An order (specification 4.6). Its steps follow from what the provider says; `moveOrder` takes them, and writes them into
 * a history of its own, `order_status_history`.
 */
export const orderStates = defineStates('order', {
  states: {
    0: { label: 'Pending', kind: 'waiting', open: true },
    1: { label: 'Successful', kind: 'good' },
    2: { label: 'Declined', kind: 'bad' },
    3: { label: 'Refunded', kind: 'undone' },
    5: { label: 'Void', kind: 'undone' },
  },
  steps: {
    created: { from: [], to: 0, by: ['requester', 'staff'] },
    captured: { from: [0], to: 1, by: ['system'] },
    declined: { from: [0], to: 2, by: ['system'] },
    expired: { from: [0], to: 2, by: ['system'] },
    cancelled: { from: [0], to: 5, by: ['requester', 'staff'] },
    voided: { from: [1], to: 5, by: ['system'] },
    refunded: { from: [1], to: [2, 3], by: ['system'] },
    chargeback_lost: { from: [1], to: [2, 3], by: ['system'] },
    returned: { from: [1, 3], to: 2, by: ['system'] },
    new_attempt: { from: [2], to: 0, by: ['requester', 'staff'] },
    corrected: { from: [2, 3, 5], to: 1, by: ['system'] },
    refund_failed: { from: [2, 3], to: 1, by: ['system'] },
  },
})

/** For a status that comes from a row. */
export const orderStatusLabels: Readonly<Record<number, string>> = orderStates.labels
