import { defineStateMachine, type StateOf } from '../../shared/machine.ts'

const permission = ['manage_others_forms', 'update'] as const

/** States of a form template: active or inactive. Companies that have a form keep it after it becomes inactive. */
export const formStates = defineStateMachine('form', {
  states: {
    active: { label: 'Active', kind: 'good' },
    inactive: { label: 'Inactive', kind: 'neutral' },
  },
  steps: {
    add: { from: [], to: 'active', by: ['staff'], audit: 'form.added' },
    activate: {
      from: ['inactive'],
      to: 'active',
      by: ['staff'],
      permission,
      label: 'Activate',
      done: 'is active again.',
      audit: 'form.activated',
    },
    inactivate: {
      from: ['active'],
      to: 'inactive',
      by: ['staff'],
      permission,
      label: 'Deactivate',
      done: 'is now inactive.',
      audit: 'form.inactivated',
    },
  },
})
export type FormStatus = StateOf<typeof formStates>
