import { defineStateMachine } from '../../shared/machine.ts'

const right = ['communication_management', 'update'] as const

/** States of a sync conflict: an offline action that conflicts with other changes and awaits a choice. */
export const conflictStates = defineStateMachine('field_conflict', {
  states: {
    open: { label: 'To be chosen', kind: 'attention', open: true },
    mine: { label: 'The field counts', kind: 'good' },
    theirs: { label: 'Left as it was', kind: 'neutral' },
    both: { label: 'Both count', kind: 'good' },
  },
  steps: {
    keep: { from: [], to: 'open', by: ['staff'], audit: 'field.conflict_recorded' },
    take_mine: { from: ['open'], to: 'mine', by: ['staff'], right, audit: 'field.change_applied' },
    keep_theirs: { from: ['open'], to: 'theirs', by: ['staff'], right, audit: 'field.change_rejected' },
    take_both: { from: ['open'], to: 'both', by: ['staff'], right, audit: 'field.both_applied' },
  },
})
