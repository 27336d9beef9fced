import { caseStates } from '../../shared/cases.ts'
import { defineStateMachine, type StateOf } from '../../shared/machine.ts'
import { requestStatus } from './rules.ts'

const changed = { permission: ['requests', 'update'], audit: 'request.status_changed' } as const

/** State machine of requests (spec 4.4, product rules section 6). */
export const requestStates = defineStateMachine('service_request', {
  states: {
    ...caseStates,
    [requestStatus.cancelled]: { label: 'Cancelled', kind: 'neutral' },
  },
  steps: {
    submit: { from: [], to: requestStatus.new, by: ['requester', 'staff'], audit: 'request.requested' },
    // Requests from another system keep their state.
    import: { from: [], to: requestStatus.new, by: ['staff'], audit: 'request.imported' },
    import_started: { from: [], to: requestStatus.inProgress, by: ['staff'], audit: 'request.imported' },
    import_completed: { from: [], to: requestStatus.completed, by: ['staff'], audit: 'request.imported' },
    import_invalid: { from: [], to: requestStatus.invalid, by: ['staff'], audit: 'request.imported' },
    // A transition of a work order can also start and complete its request.
    start: {
      ...changed,
      from: [requestStatus.new, requestStatus.reopened],
      to: requestStatus.inProgress,
      by: ['staff', 'system'],
      label: 'Start work',
    },
    complete: {
      ...changed,
      from: [requestStatus.new, requestStatus.inProgress, requestStatus.reopened],
      to: requestStatus.completed,
      by: ['staff', 'system'],
      label: 'Complete',
    },
    reopen: {
      ...changed,
      from: [requestStatus.completed],
      to: requestStatus.reopened,
      by: ['staff', 'requester', 'system'],
      label: 'Reopen',
    },
    invalidate: {
      ...changed,
      from: [requestStatus.new, requestStatus.inProgress, requestStatus.reopened],
      to: requestStatus.invalid,
      by: ['staff'],
      reason: true,
      label: 'Mark as invalid',
    },
    // Duplicates and spam are both closed as Invalid. The columns `merged_into` and `is_spam` tell the two apart.
    merge: {
      ...changed,
      from: [requestStatus.new, requestStatus.inProgress, requestStatus.reopened],
      to: requestStatus.invalid,
      by: ['staff'],
      audit: 'request.merged',
    },
    spam: {
      ...changed,
      from: [requestStatus.new, requestStatus.inProgress, requestStatus.reopened],
      to: requestStatus.invalid,
      by: ['staff'],
      audit: 'request.spam',
    },
    // Undoes a mistaken merge or spam mark.
    separate: {
      ...changed,
      from: [requestStatus.invalid],
      to: requestStatus.reopened,
      by: ['staff'],
      audit: 'request.separated',
    },
    not_spam: {
      ...changed,
      from: [requestStatus.invalid],
      to: requestStatus.reopened,
      by: ['staff'],
      audit: 'request.not_spam',
    },
    cancel: {
      from: [requestStatus.new, requestStatus.reopened],
      to: requestStatus.cancelled,
      by: ['requester'],
      audit: 'request.cancelled',
    },
  },
})
export type RequestStatus = StateOf<typeof requestStates>
