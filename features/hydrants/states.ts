import { defineStateMachine, type StateOf } from '../../shared/machine.ts'

const permission = ['hydrants', 'update'] as const

/** Service states of a hydrant. The inspection status is separate and follows from dates only. */
export const hydrantStates = defineStateMachine('hydrant', {
  states: {
    in_service: { label: 'In service', kind: 'good', open: true },
    out_of_service: { label: 'Out of service', kind: 'bad', open: true },
    retired: { label: 'Retired', kind: 'neutral' },
  },
  steps: {
    add: { from: [], to: 'in_service', by: ['staff'], audit: 'hydrant.added' },
    take_out: {
      from: ['in_service'],
      to: 'out_of_service',
      by: ['staff'],
      permission,
      reason: true,
      label: 'Take out of service',
      audit: 'hydrant.out_of_service',
    },
    return_to_service: {
      from: ['out_of_service'],
      to: 'in_service',
      by: ['staff'],
      permission,
      label: 'Return to service',
      audit: 'hydrant.returned_to_service',
    },
    retire: {
      from: ['in_service', 'out_of_service'],
      to: 'retired',
      by: ['staff'],
      permission,
      reason: true,
      label: 'Retire',
      done: 'was retired. It will stay in the list, but no more inspections will be due.',
      audit: 'hydrant.retired',
    },
    restore: {
      from: ['retired'],
      to: 'in_service',
      by: ['staff'],
      permission,
      label: 'Restore',
      audit: 'hydrant.restored',
    },
  },
})
export type HydrantService = StateOf<typeof hydrantStates>
