import { defineStateMachine, type StateOf } from './machine.ts'

const permission = ['user_management', 'deactivate'] as const

/**
 * States of an account. Invited people have no password yet. Locked and inactive people can't sign in. A lock is
 * temporary.
 */
export const accountStates = defineStateMachine('account', {
  states: {
    active: { label: 'Active', kind: 'good' },
    invited: { label: 'Invited', kind: 'waiting', open: true },
    locked: { label: 'Locked', kind: 'bad', open: true },
    inactive: { label: 'Inactive', kind: 'neutral' },
  },
  steps: {
    invite: { from: [], to: 'invited', by: ['staff'], audit: 'staff.invited' },
    // A resident from another system. Staff send the invitation later.
    import: { from: [], to: 'invited', by: ['staff'], audit: 'person.imported' },
    accept: { from: ['invited'], to: 'active', by: ['requester'], audit: 'invitation.accepted' },
    // A person who does not have the invitation email may request a password reset link instead.
    recover: { from: ['invited'], to: 'active', by: ['requester'], audit: 'password.reset' },
    lock: {
      from: ['active', 'invited'],
      to: 'locked',
      by: ['staff'],
      permission,
      label: 'Lock',
      done: 'has been locked out and signed out.',
      audit: 'staff.locked',
    },
    // The target state depends on whether the person has a password.
    unlock: {
      from: ['locked'],
      to: ['active', 'invited'],
      by: ['staff'],
      permission,
      label: 'Unlock',
      done: 'has been unlocked.',
      audit: 'staff.unlocked',
    },
    deactivate: {
      from: ['active', 'invited', 'locked'],
      to: 'inactive',
      by: ['staff'],
      permission,
      label: 'Deactivate',
      done: 'has been deactivated and signed out.',
      audit: 'staff.deactivated',
    },
    // Residents close their own accounts. Staff accounts can't be closed this way. They end with `deactivate`.
    close: { from: ['active'], to: 'inactive', by: ['requester'], audit: 'profile.closed' },
    activate: {
      from: ['inactive'],
      to: ['active', 'invited', 'locked'],
      by: ['staff'],
      permission,
      label: 'Activate',
      done: 'is active again.',
      audit: 'staff.activated',
    },
  },
})
export type AccountStatus = StateOf<typeof accountStates>
