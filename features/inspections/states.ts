import { defineStateMachine, type StateOf } from '../../shared/machine.ts'

const permission = ['inspections', 'update'] as const

/** State machine of an inspection. Its result follows from its items. */
export const inspectionStates = defineStateMachine('inspection', {
  states: {
    scheduled: { label: 'Scheduled', kind: 'waiting', open: true },
    passed: { label: 'Passed', kind: 'good' },
    failed: { label: 'Failed', kind: 'bad' },
    cancelled: { label: 'Cancelled', kind: 'neutral' },
  },
  steps: {
    schedule: { from: [], to: 'scheduled', by: ['staff', 'system'], audit: 'inspection.scheduled' },
    finish: {
      from: ['scheduled'],
      to: ['passed', 'failed'],
      by: ['staff'],
      permission,
      label: 'Finish inspection',
      confirm: 'The result will be final. You will not be able to change the items afterward.',
      audit: 'inspection.finished',
    },
    cancel: {
      from: ['scheduled'],
      to: 'cancelled',
      by: ['staff'],
      permission,
      reason: true,
      label: 'Cancel inspection',
      audit: 'inspection.cancelled',
    },
  },
})
export type InspectionStatus = StateOf<typeof inspectionStates>

/**
 * State machine of a checklist item (spec 4.7, product rules section 6). Repeating an item creates another open item.
 */
export const itemStates = defineStateMachine('checklist_item', {
  states: {
    open: { label: 'Open', kind: 'undone', open: true },
    complete: { label: 'Complete', kind: 'waiting', open: true },
    passed: { label: 'Pass', kind: 'good' },
    failed: { label: 'Fail', kind: 'bad' },
  },
  steps: {
    add: { from: [], to: 'open', by: ['staff', 'system'], audit: 'inspection.item_added' },
    complete: {
      from: ['open'],
      to: 'complete',
      by: ['staff'],
      permission,
      label: 'Complete',
      audit: 'inspection.item_completed',
    },
    pass: {
      from: ['complete'],
      to: 'passed',
      by: ['staff'],
      permission,
      label: 'Pass',
      audit: 'inspection.item_passed',
    },
    fail: {
      from: ['complete'],
      to: 'failed',
      by: ['staff'],
      permission,
      reason: true,
      label: 'Fail',
      audit: 'inspection.item_failed',
    },
  },
})
export type ItemStatus = StateOf<typeof itemStates>
