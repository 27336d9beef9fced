/** States of a step. A step is done when it works, not when a row exists. */
export const setupStates = {
  to_do: 'To do',
  started: 'Started',
  waiting: 'Waiting',
  done: 'Done',
  not_for_us: 'Not for us',
} as const
export type SetupState = keyof typeof setupStates

/** Choice for a recommended step that the municipality leaves out. */
export const NOT_FOR_US = 'not_for_us'
