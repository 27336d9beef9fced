import { defineStateMachine, type StateOf } from '../../shared/machine.ts'

const right = ['transaction_management', 'update'] as const

/** States of a payment arrangement. Payments decide whether it is completed or defaulted (`look-after.ts`). */
export const arrangementStates = defineStateMachine('arrangement', {
  states: {
    proposed: { label: 'Proposed', kind: 'waiting', open: true },
    active: { label: 'On track', kind: 'good', open: true },
    broken: { label: 'Broken', kind: 'bad', open: true },
    kept: { label: 'Paid', kind: 'good' },
    ended: { label: 'Ended', kind: 'undone' },
  },
  steps: {
    propose: { from: [], to: 'proposed', by: ['staff'], right, audit: 'arrangement.proposed' },
    ask: { from: [], to: 'active', by: ['requester'], audit: 'arrangement.requested' },
    agree: { from: ['proposed'], to: 'active', by: ['requester'], audit: 'arrangement.agreed' },
    sign: {
      from: ['proposed'],
      to: 'active',
      by: ['staff'],
      right,
      reason: true,
      label: 'Agreed on paper or by phone',
      done: 'is agreed. It begins now.',
      audit: 'arrangement.signed',
    },
    decline: {
      from: ['proposed'],
      to: 'ended',
      by: ['requester'],
      label: 'Decline',
      confirm: 'The proposed payment arrangement ends. To pay by installments after that, ask for a new one.',
      done: 'is declined. All that is owed is due as before.',
      audit: 'arrangement.declined',
    },
    break: { from: ['active'], to: 'broken', by: ['system'], audit: 'arrangement.defaulted' },
    mend: { from: ['broken'], to: 'active', by: ['system'], audit: 'arrangement.reinstated' },
    keep: { from: ['active', 'broken'], to: 'kept', by: ['system'], audit: 'arrangement.completed' },
    end: {
      from: ['proposed', 'active', 'broken'],
      to: 'ended',
      by: ['staff'],
      right,
      reason: true,
      label: 'End the plan',
      done: 'is ended. All that is owed is due.',
      audit: 'arrangement.ended',
    },
  },
})
export type ArrangementState = StateOf<typeof arrangementStates>
