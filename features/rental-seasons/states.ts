import { defineStateMachine, type StateOf } from '../../shared/machine.ts'

const right = ['manage_other_payments', 'update'] as const

/** States of an allocation round. Its terms cannot change after it opens. */
export const roundStates = defineStateMachine('rental_round', {
  states: {
    draft: { label: 'Draft', kind: 'undone' },
    open: { label: 'Open', kind: 'good', open: true },
    closed: { label: 'To be drawn', kind: 'attention', open: true },
    lottery_run: { label: 'Drawn', kind: 'attention', open: true },
    confirmed: { label: 'Confirmed', kind: 'neutral' },
    cancelled: { label: 'Cancelled', kind: 'bad' },
  },
  steps: {
    plan: {
      from: [],
      to: 'draft',
      by: ['staff'],
      right: ['manage_other_payments', 'create'],
      audit: 'rental.round_planned',
    },
    open: {
      from: ['draft'],
      to: 'open',
      by: ['staff'],
      right,
      label: 'Open it for applications',
      confirm: 'Applications begin, and the terms of the round can not change after that.',
      audit: 'rental.round_opened',
    },
    close: {
      from: ['open'],
      to: 'closed',
      by: ['staff', 'system'],
      right,
      reason: true,
      label: 'Close it now',
      audit: 'rental.round_closed',
    },
    run_lottery: { from: ['closed'], to: 'lottery_run', by: ['staff'], right, audit: 'rental.lottery_run' },
    confirm: { from: ['lottery_run'], to: 'confirmed', by: ['staff'], right, audit: 'rental.round_confirmed' },
    cancel: {
      from: ['draft', 'open', 'closed', 'lottery_run'],
      to: 'cancelled',
      by: ['staff'],
      right,
      reason: true,
      label: 'Cancel the round',
      audit: 'rental.round_cancelled',
    },
  },
})
export type RoundStatus = StateOf<typeof roundStates>

export const applicationStates = defineStateMachine('rental_application', {
  states: {
    submitted: { label: 'In the draw', kind: 'waiting', open: true },
    withdrawn: { label: 'Withdrawn', kind: 'neutral' },
    excluded: { label: 'Left out', kind: 'bad' },
    allocated: { label: 'Given', kind: 'good' },
    not_allocated: { label: 'Not given', kind: 'neutral' },
  },
  steps: {
    apply: { from: [], to: 'submitted', by: ['requester'], audit: 'rental.applied' },
    apply_again: { from: ['withdrawn'], to: 'submitted', by: ['requester'], audit: 'rental.applied' },
    withdraw: { from: ['submitted'], to: 'withdrawn', by: ['requester'], audit: 'rental.application_withdrawn' },
    exclude: {
      from: ['submitted'],
      to: 'excluded',
      by: ['staff'],
      right,
      reason: true,
      label: 'Leave it out of the draw',
      audit: 'rental.application_excluded',
    },
    decide: {
      from: ['submitted'],
      to: ['allocated', 'not_allocated'],
      by: ['system'],
      audit: 'rental.application_decided',
    },
  },
})
export type ApplicationStatus = StateOf<typeof applicationStates>
