import { defineStateMachine, type StateOf } from '../../shared/machine.ts'

/** State machine of account shares. Both people must agree, and either can end the share. */
export const shareStates = defineStateMachine('account_share', {
  states: {
    offered: { label: 'Offered', kind: 'waiting', open: true },
    accepted: { label: 'Active', kind: 'good', open: true },
    ended: { label: 'Ended', kind: 'undone' },
  },
  steps: {
    offer: { from: [], to: 'offered', by: ['requester'], audit: 'account.share_offered' },
    accept: { from: ['offered'], to: 'accepted', by: ['requester'], audit: 'account.share_accepted' },
    end: {
      from: ['offered', 'accepted'],
      to: 'ended',
      by: ['requester'],
      done: 'is no longer shared.',
      audit: 'account.share_ended',
    },
  },
})
export type ShareState = StateOf<typeof shareStates>
