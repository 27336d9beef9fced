import { defineStateMachine, type StateOf } from '../../shared/machine.ts'

const permission = ['reconcile', 'update'] as const

/**
 * States of a reconciliation exception. A person resolves it with a reason. If its cause no longer exists, the portal
 * clears it automatically.
 */
export const exceptionStates = defineStateMachine('recon_exception', {
  states: {
    open: { label: 'Open', kind: 'attention', open: true },
    resolved: { label: 'Resolved', kind: 'good' },
    cleared: { label: 'Cleared automatically', kind: 'neutral' },
  },
  steps: {
    find: { from: [], to: 'open', by: ['system'], audit: 'reconciliation.found' },
    resolve: {
      from: ['open'],
      to: 'resolved',
      by: ['staff'],
      permission,
      reason: true,
      done: 'was resolved.',
      audit: 'reconciliation.resolved',
    },
    clear: { from: ['open'], to: 'cleared', by: ['system'], audit: 'reconciliation.cleared' },
    reopen: {
      from: ['resolved'],
      to: 'open',
      by: ['staff'],
      permission,
      reason: true,
      label: 'Reopen',
      done: 'was reopened.',
      audit: 'reconciliation.reopened',
    },
    find_again: { from: ['cleared'], to: 'open', by: ['system'], audit: 'reconciliation.found' },
  },
})
export type ExceptionState = StateOf<typeof exceptionStates>
