import { defineStateMachine, type StateOf } from '../../shared/machine.ts'
import { workOrderStatus } from './rules.ts'

const permission = ['work_orders', 'update'] as const

/** State machine of work orders (spec 4.5, product rules section 6). */
export const orderStates = defineStateMachine('work_order', {
  states: {
    [workOrderStatus.created]: { label: 'Created', kind: 'undone', open: true },
    [workOrderStatus.inProgress]: { label: 'In progress', kind: 'waiting', open: true },
    [workOrderStatus.completed]: { label: 'Completed', kind: 'good' },
    [workOrderStatus.reopened]: { label: 'Reopen', kind: 'attention', open: true },
    [workOrderStatus.invalid]: { label: 'Invalid', kind: 'neutral' },
  },
  steps: {
    open: { from: [], to: workOrderStatus.created, by: ['staff', 'requester', 'system'], audit: 'work_order.opened' },
    // Work orders from another system keep their state.
    import: { from: [], to: workOrderStatus.created, by: ['staff'], audit: 'work_order.imported' },
    import_started: { from: [], to: workOrderStatus.inProgress, by: ['staff'], audit: 'work_order.imported' },
    import_completed: { from: [], to: workOrderStatus.completed, by: ['staff'], audit: 'work_order.imported' },
    import_invalid: { from: [], to: workOrderStatus.invalid, by: ['staff'], audit: 'work_order.imported' },
    start: {
      from: [workOrderStatus.created, workOrderStatus.reopened],
      to: workOrderStatus.inProgress,
      by: ['staff'],
      permission,
      label: 'Start',
      audit: 'work_order.started',
    },
    complete: {
      from: [workOrderStatus.inProgress],
      to: workOrderStatus.completed,
      by: ['staff'],
      permission,
      label: 'Complete',
      audit: 'work_order.completed',
    },
    // Completes the order automatically when its source reports it as done, for example after staff entered the
    // readings for a move.
    read: {
      from: [workOrderStatus.created, workOrderStatus.inProgress, workOrderStatus.reopened],
      to: workOrderStatus.completed,
      by: ['system'],
      audit: 'work_order.completed',
    },
    reopen: {
      from: [workOrderStatus.completed],
      to: workOrderStatus.reopened,
      by: ['staff'],
      permission,
      reason: true,
      label: 'Reopen',
      audit: 'work_order.reopened',
    },
    invalidate: {
      from: [workOrderStatus.created, workOrderStatus.inProgress, workOrderStatus.reopened],
      to: workOrderStatus.invalid,
      by: ['staff', 'system'],
      permission,
      reason: true,
      label: 'Mark as invalid',
      audit: 'work_order.invalidated',
    },
  },
})
export type OrderStatus = StateOf<typeof orderStates>
export type OrderEvent = 'start' | 'complete' | 'reopen' | 'invalidate' | 'read'
