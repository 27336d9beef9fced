import { defineStateMachine } from '../../shared/machine.ts'

/** States of a department. An inactive department keeps its staff but accepts no new staff. */
export const departmentStates = defineStateMachine('department', {
  states: {
    active: { label: 'Active', kind: 'good' },
    inactive: { label: 'Inactive', kind: 'neutral' },
  },
  steps: {
    create: { from: [], to: 'active', by: ['staff'], audit: 'department.created' },
    activate: {
      from: ['inactive'],
      to: 'active',
      by: ['staff'],
      permission: ['department_management', 'update'],
      label: 'Activate',
      done: 'is now active.',
      audit: 'department.activated',
    },
    inactivate: {
      from: ['active'],
      to: 'inactive',
      by: ['staff'],
      permission: ['department_management', 'delete'],
      label: 'Deactivate',
      done: 'is now inactive.',
      audit: 'department.inactivated',
    },
  },
})
