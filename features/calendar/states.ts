import { type ButtonOf, defineStateMachine, type StateOf } from '../../shared/machine.ts'

const permission = ['dashboard', 'update'] as const

/** States of a calendar event (spec 4.1). Screens always show the label, never only a color. */
export const itemStates = defineStateMachine('scheduled_item', {
  states: {
    not_started: { label: 'Not Started', kind: 'bad', open: true },
    in_progress: { label: 'In Progress', kind: 'waiting', open: true },
    completed: { label: 'Completed', kind: 'good' },
  },
  steps: {
    start: {
      from: ['not_started'],
      to: 'in_progress',
      by: ['staff'],
      permission,
      label: 'Start',
      audit: 'calendar.started',
    },
    complete: {
      from: ['not_started', 'in_progress'],
      to: 'completed',
      by: ['staff'],
      permission,
      label: 'Complete',
      audit: 'calendar.completed',
    },
    reopen: {
      from: ['completed'],
      to: 'in_progress',
      by: ['staff'],
      permission,
      label: 'Reopen',
      audit: 'calendar.reopened',
    },
  },
})
export type ItemStatus = StateOf<typeof itemStates>
export type ItemEvent = ButtonOf<typeof itemStates>
