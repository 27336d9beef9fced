import { defineStateMachine } from '../../shared/machine.ts'

const permission = ['field_work', 'update'] as const

/** States of a sync conflict: an offline action that conflicts with other changes and awaits a choice. */
export const conflictStates = defineStateMachine('field_conflict', {
  states: {
    open: { label: 'Needs a decision', kind: 'attention', open: true },
    own: { label: 'Field change applied', kind: 'good' },
    others: { label: 'Field change rejected', kind: 'neutral' },
    both: { label: 'Both applied', kind: 'good' },
  },
  steps: {
    record: { from: [], to: 'open', by: ['staff'], audit: 'field.conflict_recorded' },
    apply: { from: ['open'], to: 'own', by: ['staff'], permission, audit: 'field.change_applied' },
    reject: { from: ['open'], to: 'others', by: ['staff'], permission, audit: 'field.change_rejected' },
    apply_both: { from: ['open'], to: 'both', by: ['staff'], permission, audit: 'field.both_applied' },
  },
})
