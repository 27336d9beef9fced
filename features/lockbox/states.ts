import { defineStateMachine, type StateOf } from '../../shared/machine.ts'

const permission = ['payments', 'create'] as const

/** State machine of a lockbox payment. An unmatched payment waits for staff. */
export const lockboxStates = defineStateMachine('lockbox_payment', {
  states: {
    waiting: { label: 'Needs review', kind: 'attention', open: true },
    posted: { label: 'Posted', kind: 'good' },
    returned: { label: 'Returned', kind: 'neutral' },
  },
  steps: {
    post: { from: [], to: 'posted', by: ['system'], audit: 'lockbox.posted' },
    wait: { from: [], to: 'waiting', by: ['system'], audit: 'lockbox.needs_review' },
    assign: { from: ['waiting'], to: 'posted', by: ['staff'], permission, audit: 'lockbox.assigned' },
    return_payment: {
      from: ['waiting'],
      to: 'returned',
      by: ['staff'],
      permission,
      reason: true,
      label: 'Return payment',
      done: 'was marked as returned. The bank must send the money back.',
      audit: 'lockbox.returned',
    },
  },
})
export type LockboxState = StateOf<typeof lockboxStates>
