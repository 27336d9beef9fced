import { defineStateMachine, type StateOf } from '../../shared/machine.ts'

const permission = ['registration', 'update'] as const

/**
 * States of a registration. Before the resident sends it, it is only a draft without a number. After a transfer, it
 * keeps its number and awaits staff again.
 */
export const registrationStates = defineStateMachine('registration', {
  states: {
    pending: { label: 'Pending review', kind: 'waiting', open: true },
    more_info_needed: { label: 'More information needed', kind: 'attention', open: true },
    registered: { label: 'Registered', kind: 'good' },
    due: { label: 'Confirmation due', kind: 'attention', open: true },
    lapsed: { label: 'Lapsed', kind: 'bad', open: true },
    rejected: { label: 'Rejected', kind: 'bad' },
    ended: { label: 'Ended', kind: 'undone' },
  },
  steps: {
    import: { from: [], to: 'registered', by: ['staff'], audit: 'registration.imported' },
    import_pending: { from: [], to: 'pending', by: ['staff'], audit: 'registration.imported' },
    import_due: { from: [], to: 'due', by: ['staff'], audit: 'registration.imported' },
    import_lapsed: { from: [], to: 'lapsed', by: ['staff'], audit: 'registration.imported' },
    import_ended: { from: [], to: 'ended', by: ['staff'], audit: 'registration.imported' },
    send: { from: [], to: 'pending', by: ['requester'], audit: 'registration.sent' },
    pass: { from: ['pending'], to: 'registered', by: ['system'], audit: 'registration.passed' },
    verify: {
      from: ['pending', 'more_info_needed', 'lapsed'],
      to: 'registered',
      by: ['staff'],
      permission,
      label: 'Verify registration',
      done: 'was verified and is now registered.',
      audit: 'registration.verified',
    },
    request_info: {
      from: ['pending'],
      to: 'more_info_needed',
      by: ['staff'],
      permission,
      reason: true,
      label: 'Request information',
      done: 'now needs more information.',
      audit: 'registration.info_requested',
    },
    reject: {
      from: ['pending', 'more_info_needed'],
      to: 'rejected',
      by: ['staff'],
      permission,
      reason: true,
      label: 'Reject',
      done: 'was rejected.',
      audit: 'registration.rejected',
    },
    answer: {
      from: ['more_info_needed', 'rejected'],
      to: 'pending',
      by: ['requester'],
      audit: 'registration.answered',
    },
    change: {
      from: ['registered', 'due', 'lapsed'],
      to: 'pending',
      by: ['requester'],
      audit: 'registration.changed',
    },
    fall_due: { from: ['registered'], to: 'due', by: ['system'], audit: 'registration.fell_due' },
    confirm: {
      from: ['due', 'lapsed'],
      to: ['registered', 'pending'],
      by: ['requester'],
      audit: 'registration.confirmed',
    },
    lapse: { from: ['due'], to: 'lapsed', by: ['system'], audit: 'registration.lapsed' },
    transfer: { from: ['registered', 'due'], to: 'pending', by: ['requester'], audit: 'registration.transferred' },
    leave: {
      from: ['pending', 'more_info_needed', 'registered', 'due', 'lapsed', 'rejected'],
      to: 'ended',
      by: ['requester', 'system'],
      done: 'has ended.',
      audit: 'registration.left',
    },
    end: {
      from: ['pending', 'more_info_needed', 'registered', 'due', 'lapsed'],
      to: 'ended',
      by: ['staff'],
      permission,
      reason: true,
      label: 'End registration',
      done: 'has ended.',
      audit: 'registration.ended',
    },
  },
})
export type RegistrationState = StateOf<typeof registrationStates>
