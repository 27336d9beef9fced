import { defineStateMachine, type StateOf } from '../../shared/machine.ts'

/** State machine of a move (spec 3, 4.8, product rules section 6). */
export const moveStates = defineStateMachine('move_request', {
  states: {
    Pending: { label: 'Pending', kind: 'waiting', open: true },
    Completed: { label: 'Complete', kind: 'good' },
    Withdrawn: { label: 'Withdrawn', kind: 'neutral' },
  },
  steps: {
    request: { from: [], to: 'Pending', by: ['requester'], audit: 'move.submitted' },
    complete: {
      from: ['Pending'],
      to: 'Completed',
      by: ['staff'],
      permission: ['moves', 'update'],
      label: 'Complete',
      audit: 'move.completed',
    },
    withdraw: { from: ['Pending'], to: 'Withdrawn', by: ['requester'], audit: 'move.withdrawn' },
  },
})
export type MoveStatus = StateOf<typeof moveStates>
