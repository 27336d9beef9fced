import { caseStates } from '../../shared/cases.ts'
import { defineStateMachine, type StateOf } from '../../shared/machine.ts'

const changed = { right: ['communication_management', 'update'], audit: 'request.status_changed' } as const

/** State machine of requests (specification 4.4, product rules section 6). */
export const requestStates = defineStateMachine('service_request', {
  states: {
    ...caseStates,
    5: { label: 'Cancelled', kind: 'neutral' },
  },
  steps: {
    submit: { from: [], to: 0, by: ['requester', 'staff'], audit: 'request.requested' },
    // A work order of the request also starts and completes it.
    start: {
      ...changed,
      from: [0, 3],
      to: 1,
      by: ['staff', 'system'],
      label: 'Start work',
      done: 'is In Progress now.',
    },
    complete: { ...changed, from: [0, 1, 3], to: 2, by: ['staff', 'system'], label: 'Complete' },
    reopen: { ...changed, from: [2], to: 3, by: ['staff', 'requester', 'system'], label: 'Reopen' },
    invalidate: { ...changed, from: [0, 1, 3], to: 4, by: ['staff'], reason: true, label: 'Mark as invalid' },
    // Duplicates and spam are both closed as Invalid. Their rows state the reason.
    merge: { ...changed, from: [0, 1, 3], to: 4, by: ['staff'], audit: 'request.merged' },
    spam: { ...changed, from: [0, 1, 3], to: 4, by: ['staff'], audit: 'request.spam' },
    // Undoes a mistaken merge or spam mark.
    separate: { ...changed, from: [4], to: 3, by: ['staff'], audit: 'request.separated' },
    not_spam: { ...changed, from: [4], to: 3, by: ['staff'], audit: 'request.not_spam' },
    cancel: { from: [0, 3], to: 5, by: ['requester'], audit: 'request.cancelled' },
  },
})
export type RequestStatus = StateOf<typeof requestStates>
