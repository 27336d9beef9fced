import { defineStateMachine, type StateOf } from '../../shared/machine.ts'

const right = ['communication_management', 'update'] as const

/** Issue status (specification 4.5, product rules section 6). */
export const orderStates = defineStateMachine('work_order', {
  states: {
    0: { label: 'Created', kind: 'undone', open: true },
    1: { label: 'In progress', kind: 'waiting', open: true },
    2: { label: 'Completed', kind: 'good' },
    3: { label: 'Reopen', kind: 'attention', open: true },
    4: { label: 'Invalid', kind: 'neutral' },
  },
  steps: {
    open: { from: [], to: 0, by: ['staff', 'requester', 'system'], audit: 'work_order.opened' },
    start: { from: [0, 3], to: 1, by: ['staff'], right, label: 'Start', audit: 'work_order.started' },
    complete: { from: [1], to: 2, by: ['staff'], right, label: 'Complete', audit: 'work_order.completed' },
    // Completed by the order's source, for example after the readings of a move were entered.
    read: { from: [0, 1, 3], to: 2, by: ['system'], audit: 'work_order.completed' },
    reopen: { from: [2], to: 3, by: ['staff'], right, reason: true, label: 'Reopen', audit: 'work_order.reopened' },
    invalidate: {
      from: [0, 1, 3],
      to: 4,
      by: ['staff', 'system'],
      right,
      reason: true,
      label: 'Mark as invalid',
      audit: 'work_order.invalidated',
    },
  },
})
export type OrderStatus = StateOf<typeof orderStates>
export type OrderEvent = 'start' | 'complete' | 'reopen' | 'invalidate' | 'read'
