import { defineStateMachine, type StateOf } from '../../shared/machine.ts'

const permission = ['rentals', 'update'] as const

/** States of an allocation round. Its terms cannot change after it opens. */
export const roundStates = defineStateMachine('rental_round', {
  states: {
    draft: { label: 'Draft', kind: 'undone' },
    open: { label: 'Open', kind: 'good', open: true },
    closed: { label: 'Ready for lottery', kind: 'attention', open: true },
    lottery_run: { label: 'Lottery run', kind: 'attention', open: true },
    confirmed: { label: 'Confirmed', kind: 'neutral' },
    cancelled: { label: 'Cancelled', kind: 'bad' },
  },
  steps: {
    plan: {
      from: [],
      to: 'draft',
      by: ['staff'],
      permission: ['rentals', 'create'],
      audit: 'rental.round_planned',
    },
    open: {
      from: ['draft'],
      to: 'open',
      by: ['staff'],
      permission,
      label: 'Open applications',
      confirm: "Residents will be able to apply, and you won't be able to change the terms of the round.",
      audit: 'rental.round_opened',
    },
    close: {
      from: ['open'],
      to: 'closed',
      by: ['staff', 'system'],
      permission,
      reason: true,
      label: 'Close applications',
      audit: 'rental.round_closed',
    },
    run_lottery: { from: ['closed'], to: 'lottery_run', by: ['staff'], permission, audit: 'rental.lottery_run' },
    confirm: { from: ['lottery_run'], to: 'confirmed', by: ['staff'], permission, audit: 'rental.round_confirmed' },
    cancel: {
      from: ['draft', 'open', 'closed', 'lottery_run'],
      to: 'cancelled',
      by: ['staff'],
      permission,
      reason: true,
      label: 'Cancel round',
      audit: 'rental.round_cancelled',
    },
  },
})
export type RoundStatus = StateOf<typeof roundStates>

export const applicationStates = defineStateMachine('rental_application', {
  states: {
    submitted: { label: 'In the lottery', kind: 'waiting', open: true },
    withdrawn: { label: 'Withdrawn', kind: 'neutral' },
    excluded: { label: 'Excluded', kind: 'bad' },
    allocated: { label: 'Allocated', kind: 'good' },
    not_allocated: { label: 'Not allocated', kind: 'neutral' },
  },
  steps: {
    apply: { from: [], to: 'submitted', by: ['requester'], audit: 'rental.applied' },
    apply_again: { from: ['withdrawn'], to: 'submitted', by: ['requester'], audit: 'rental.applied' },
    withdraw: { from: ['submitted'], to: 'withdrawn', by: ['requester'], audit: 'rental.application_withdrawn' },
    exclude: {
      from: ['submitted'],
      to: 'excluded',
      by: ['staff'],
      permission,
      reason: true,
      label: 'Exclude from lottery',
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
