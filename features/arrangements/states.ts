import { defineStateMachine, type StateOf } from '../../shared/machine.ts'

const permission = ['payments', 'update'] as const

/** States of a payment arrangement. Payments decide whether it is completed or defaulted (`review-arrangements.ts`). */
export const arrangementStates = defineStateMachine('arrangement', {
  states: {
    proposed: { label: 'Proposed', kind: 'waiting', open: true },
    active: { label: 'On track', kind: 'good', open: true },
    defaulted: { label: 'Defaulted', kind: 'bad', open: true },
    completed: { label: 'Completed', kind: 'good' },
    ended: { label: 'Ended', kind: 'undone' },
  },
  steps: {
    propose: { from: [], to: 'proposed', by: ['staff'], permission, audit: 'arrangement.proposed' },
    request: { from: [], to: 'active', by: ['requester'], audit: 'arrangement.requested' },
    agree: { from: ['proposed'], to: 'active', by: ['requester'], audit: 'arrangement.agreed' },
    sign: {
      from: ['proposed'],
      to: 'active',
      by: ['staff'],
      permission,
      reason: true,
      label: 'Record agreement',
      done: 'was agreed to and is now in effect.',
      audit: 'arrangement.signed',
    },
    decline: {
      from: ['proposed'],
      to: 'ended',
      by: ['requester'],
      label: 'Decline arrangement',
      confirm: 'The proposed payment arrangement will end. To pay in installments later, request a new arrangement.',
      done: 'was declined. The full amount is still due.',
      audit: 'arrangement.declined',
    },
    default: { from: ['active'], to: 'defaulted', by: ['system'], audit: 'arrangement.defaulted' },
    reinstate: { from: ['defaulted'], to: 'active', by: ['system'], audit: 'arrangement.reinstated' },
    complete: { from: ['active', 'defaulted'], to: 'completed', by: ['system'], audit: 'arrangement.completed' },
    end: {
      from: ['proposed', 'active', 'defaulted'],
      to: 'ended',
      by: ['staff'],
      permission,
      reason: true,
      label: 'End arrangement',
      done: 'has ended. The full amount owed is now due.',
      audit: 'arrangement.ended',
    },
  },
})
export type ArrangementState = StateOf<typeof arrangementStates>
