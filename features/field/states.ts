import { defineStateMachine } from '../../shared/machine.ts'

const right = ['communication_management', 'update'] as const

/** States of a sync conflict: an offline action that conflicts with other changes and awaits a choice. */
export const conflictStates = defineStateMachine('field_conflict', {
  states: {
    open: { label: 'Needs a decision', kind: 'attention', open: true },
    mine: { label: 'Field change applied', kind: 'good' },
    theirs: { label: 'Field change rejected', kind: 'neutral' },
    both: { label: 'Both applied', kind: 'good' },
  },
  steps: {
    record: { from: [], to: 'open', by: ['staff'], audit: 'field.conflict_recorded' },
    apply: { from: ['open'], to: 'mine', by: ['staff'], right, audit: 'field.change_applied' },
    reject: { from: ['open'], to: 'theirs', by: ['staff'], right, audit: 'field.change_rejected' },
    apply_both: { from: ['open'], to: 'both', by: ['staff'], right, audit: 'field.both_applied' },
  },
})
