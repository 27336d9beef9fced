import { caseStates } from '../../shared/cases.ts'
import { defineStateMachine, type StateOf } from '../../shared/machine.ts'

const changed = {
  right: ['communication_management', 'update'],
  audit: 'support.status_changed',
} as const

/** State machine of support requests (specification 4.4, product rules section 6). */
export const requestStates = defineStateMachine('support_request', {
  states: caseStates,
  steps: {
    submit: { from: [], to: 0, by: ['requester'], audit: 'support.requested' },
    start: {
      ...changed,
      from: [0, 3],
      to: 1,
      by: ['staff'],
      label: 'Start work',
      done: 'is In Progress now, and assigned to you.',
    },
    complete: { ...changed, from: [0, 1, 3], to: 2, by: ['staff'], label: 'Complete' },
    reopen: { ...changed, from: [2], to: 3, by: ['staff', 'requester'], label: 'Reopen' },
    invalidate: { ...changed, from: [0, 1, 3], to: 4, by: ['staff'], reason: true, label: 'Mark as invalid' },
  },
})
export type Status = StateOf<typeof requestStates>
