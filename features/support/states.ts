import { caseStates, caseStatus } from '../../shared/cases.ts'
import { defineStateMachine, type StateOf } from '../../shared/machine.ts'

const changed = {
  permission: ['communication_management', 'update'],
  audit: 'support.status_changed',
} as const

/** State machine of support requests (spec 4.4, product rules section 6). */
export const requestStates = defineStateMachine('support_request', {
  states: caseStates,
  steps: {
    submit: { from: [], to: caseStatus.new, by: ['requester'], audit: 'support.requested' },
    start: {
      ...changed,
      from: [caseStatus.new, caseStatus.reopened],
      to: caseStatus.inProgress,
      by: ['staff'],
      label: 'Start work',
      done: 'is now In Progress and assigned to you.',
    },
    complete: {
      ...changed,
      from: [caseStatus.new, caseStatus.inProgress, caseStatus.reopened],
      to: caseStatus.completed,
      by: ['staff'],
      label: 'Complete',
    },
    reopen: {
      ...changed,
      from: [caseStatus.completed],
      to: caseStatus.reopened,
      by: ['staff', 'requester'],
      label: 'Reopen',
    },
    invalidate: {
      ...changed,
      from: [caseStatus.new, caseStatus.inProgress, caseStatus.reopened],
      to: caseStatus.invalid,
      by: ['staff'],
      reason: true,
      label: 'Mark as invalid',
    },
  },
})
export type Status = StateOf<typeof requestStates>
