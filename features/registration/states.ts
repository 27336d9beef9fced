import { defineStateMachine, type StateOf } from '../../shared/machine.ts'

const right = ['manage_other_registrations', 'update'] as const

/**
 * States of a registration. An unsent one is a draft of the fields kit without a number. After a transfer, the
 * registration retains its number and waits for staff again.
 */
export const registrationStates = defineStateMachine('registration', {
  states: {
    pending: { label: 'Waiting for the town', kind: 'waiting', open: true },
    asked: { label: 'Something is asked', kind: 'attention', open: true },
    registered: { label: 'Registered', kind: 'good' },
    due: { label: 'Confirmation due', kind: 'attention', open: true },
    lapsed: { label: 'Lapsed', kind: 'bad', open: true },
    refused: { label: 'Refused', kind: 'bad' },
    ended: { label: 'Ended', kind: 'undone' },
  },
  steps: {
    send: { from: [], to: 'pending', by: ['requester'], audit: 'registration.sent' },
    pass: { from: ['pending'], to: 'registered', by: ['system'], audit: 'registration.passed' },
    verify: {
      from: ['pending', 'asked', 'lapsed'],
      to: 'registered',
      by: ['staff'],
      right,
      label: 'Verify',
      done: 'is verified and registered.',
      audit: 'registration.verified',
    },
    ask: {
      from: ['pending'],
      to: 'asked',
      by: ['staff'],
      right,
      reason: true,
      label: 'Ask for more',
      done: 'waits for an answer now.',
      audit: 'registration.info_requested',
    },
    refuse: {
      from: ['pending', 'asked'],
      to: 'refused',
      by: ['staff'],
      right,
      reason: true,
      label: 'Refuse',
      done: 'is refused.',
      audit: 'registration.rejected',
    },
    answer: { from: ['asked', 'refused'], to: 'pending', by: ['requester'], audit: 'registration.answered' },
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
    hand_over: { from: ['registered', 'due'], to: 'pending', by: ['requester'], audit: 'registration.transferred' },
    leave: {
      from: ['pending', 'asked', 'registered', 'due', 'lapsed', 'refused'],
      to: 'ended',
      by: ['requester', 'system'],
      done: 'is ended.',
      audit: 'registration.left',
    },
    end: {
      from: ['pending', 'asked', 'registered', 'due', 'lapsed'],
      to: 'ended',
      by: ['staff'],
      right,
      reason: true,
      label: 'End it',
      done: 'is ended.',
      audit: 'registration.ended',
    },
  },
})
export type RegistrationState = StateOf<typeof registrationStates>
