import { defineStateMachine, type StateOf } from '../../shared/machine.ts'
import { submissionStatus } from './rules.ts'

const builds = ['forms', 'create'] as const
const permission = ['submissions', 'update'] as const

/** States of a form: draft, published or closed. Closing a form keeps its submissions. */
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
      permission: builds,
      label: 'Publish form',
      done: 'was published and can now be filled out.',
      audit: 'form_type.published',
    },
    close: {
      from: ['published'],
      to: 'closed',
      by: ['staff'],
      permission: builds,
      label: 'Close form',
      done: 'was closed. No one can start it until you publish it again. Existing drafts remain saved.',
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
    [submissionStatus.paymentRequired]: { label: 'Payment Required', kind: 'attention', open: true },
    [submissionStatus.pendingReview]: { label: 'Pending Review', kind: 'waiting', open: true },
    [submissionStatus.rejected]: { label: 'Rejected', kind: 'bad' },
    [submissionStatus.approved]: { label: 'Approved', kind: 'good' },
    [submissionStatus.draft]: { label: 'Draft', kind: 'neutral', open: true },
    [submissionStatus.moreInfoNeeded]: { label: 'More information needed', kind: 'attention', open: true },
    [submissionStatus.withdrawn]: { label: 'Withdrawn', kind: 'neutral' },
    [submissionStatus.revoked]: { label: 'Revoked', kind: 'bad' },
    [submissionStatus.expired]: { label: 'Expired', kind: 'neutral' },
  },
  steps: {
    import: { from: [], to: submissionStatus.approved, by: ['staff'], audit: 'submission.imported' },
    import_expired: { from: [], to: submissionStatus.expired, by: ['staff'], audit: 'submission.imported' },
    import_revoked: { from: [], to: submissionStatus.revoked, by: ['staff'], audit: 'submission.imported' },
    start: { from: [], to: submissionStatus.draft, by: ['requester', 'staff'], audit: 'submission.started' },
    // A submission with a fee awaits its payment.
    submit: {
      from: [submissionStatus.draft],
      to: [submissionStatus.paymentRequired, submissionStatus.pendingReview],
      by: ['requester', 'staff'],
      audit: 'submission.sent',
    },
    pay: {
      from: [submissionStatus.paymentRequired],
      to: submissionStatus.pendingReview,
      by: ['system'],
      audit: 'submission.paid',
    },
    request_info: {
      from: [submissionStatus.pendingReview],
      to: submissionStatus.moreInfoNeeded,
      by: ['staff'],
      permission,
      reason: true,
      label: 'Request information',
      audit: 'submission.info_requested',
    },
    answer: {
      from: [submissionStatus.moreInfoNeeded],
      to: submissionStatus.pendingReview,
      by: ['requester', 'staff'],
      audit: 'submission.changed',
    },
    approve: {
      from: [submissionStatus.pendingReview],
      to: submissionStatus.approved,
      by: ['staff'],
      permission,
      label: 'Approve',
      confirm:
        'If the form issues a document, the approval will create the document. The applicant will receive an email. You cannot undo the approval, but you can revoke it later.',
      audit: 'submission.approved',
    },
    reject: {
      from: [submissionStatus.pendingReview],
      to: submissionStatus.rejected,
      by: ['staff'],
      permission,
      reason: true,
      label: 'Reject',
      audit: 'submission.rejected',
    },
    resubmit: {
      from: [submissionStatus.rejected],
      to: submissionStatus.pendingReview,
      by: ['requester', 'staff'],
      audit: 'submission.resubmitted',
    },
    withdraw: {
      from: [
        submissionStatus.draft,
        submissionStatus.paymentRequired,
        submissionStatus.pendingReview,
        submissionStatus.moreInfoNeeded,
      ],
      to: submissionStatus.withdrawn,
      by: ['requester'],
      audit: 'submission.withdrawn',
    },
    revoke: {
      from: [submissionStatus.approved],
      to: submissionStatus.revoked,
      by: ['staff'],
      permission,
      reason: true,
      label: 'Revoke',
      audit: 'submission.revoked',
    },
    expire: {
      from: [submissionStatus.approved],
      to: submissionStatus.expired,
      by: ['system'],
      audit: 'submission.expired',
    },
  },
})
export type SubmissionStatus = StateOf<typeof submissionStates>
