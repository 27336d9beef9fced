import { defineStateMachine, type StateOf } from '../../shared/machine.ts'

const builds = ['manage_others_forms', 'create'] as const
const right = ['manage_others_forms', 'update'] as const

/** States of a form: draft, published or closed. Submissions of a closed form stay. */
export const formTypeStates = defineStateMachine('form_type', {
  states: {
    draft: { label: 'Draft', kind: 'attention' },
    published: { label: 'Published', kind: 'good', open: true },
    closed: { label: 'Closed', kind: 'neutral' },
  },
  steps: {
    create: { from: [], to: 'draft', by: ['staff'], audit: 'form_type.created' },
    publish: {
      from: ['draft', 'closed'],
      to: 'published',
      by: ['staff'],
      right: builds,
      label: 'Publish the form',
      done: 'can be filled in now.',
      audit: 'form_type.published',
    },
    close: {
      from: ['published'],
      to: 'closed',
      by: ['staff'],
      right: builds,
      label: 'Close the form',
      done: 'is closed. Nobody can begin it until it is published again; what was begun before is kept.',
      audit: 'form_type.closed',
    },
  },
})
export type FormTypeState = StateOf<typeof formTypeStates>

/**
 * States of a submission. 0 to 3 come from the specification (4.2), 10 and up from the portal (product rules, section
 * 6).
 */
export const submissionStates = defineStateMachine('form_submission', {
  states: {
    0: { label: 'Payment Required', kind: 'attention', open: true },
    1: { label: 'Pending Review', kind: 'waiting', open: true },
    2: { label: 'Rejected', kind: 'bad' },
    3: { label: 'Approved', kind: 'good' },
    10: { label: 'Draft', kind: 'neutral', open: true },
    11: { label: 'More Asked', kind: 'attention', open: true },
    12: { label: 'Withdrawn', kind: 'neutral' },
    13: { label: 'Revoked', kind: 'bad' },
    14: { label: 'Expired', kind: 'neutral' },
  },
  steps: {
    begin: { from: [], to: 10, by: ['requester', 'staff'], audit: 'submission.begun' },
    // A submission with a fee awaits its payment.
    submit: { from: [10], to: [0, 1], by: ['requester', 'staff'], audit: 'submission.sent' },
    pay: { from: [0], to: 1, by: ['system'], audit: 'submission.paid' },
    ask: {
      from: [1],
      to: 11,
      by: ['staff'],
      right,
      reason: true,
      label: 'Ask for more',
      audit: 'submission.info_requested',
    },
    answer: { from: [11], to: 1, by: ['requester', 'staff'], audit: 'submission.changed' },
    approve: {
      from: [1],
      to: 3,
      by: ['staff'],
      right,
      label: 'Approve',
      confirm:
        'What the approval gives is issued, and the applicant is told by email. You can revoke it later, but not undo it.',
      audit: 'submission.approved',
    },
    reject: { from: [1], to: 2, by: ['staff'], right, reason: true, label: 'Reject', audit: 'submission.rejected' },
    resubmit: { from: [2], to: 1, by: ['requester', 'staff'], audit: 'submission.resubmitted' },
    withdraw: { from: [10, 0, 1, 11], to: 12, by: ['requester'], audit: 'submission.withdrawn' },
    revoke: { from: [3], to: 13, by: ['staff'], right, reason: true, label: 'Revoke', audit: 'submission.revoked' },
    expire: { from: [3], to: 14, by: ['system'], audit: 'submission.expired' },
  },
})
export type SubmissionStatus = StateOf<typeof submissionStates>
