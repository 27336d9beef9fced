/** What became of a mail. */
export const deliveries = { waiting: 'Waiting', sent: 'Sent', failed: 'Failed' } as const

/** Which way a text of the sandbox went. */
export const textWays = { 'to phone': 'To the phone', 'from phone': 'From the phone' } as const

/** What became of a call of the sandbox. */
export const callStates = {
  queued: 'Not rung yet',
  completed: 'Answered',
  busy: 'Busy',
  'no-answer': 'Not answered',
  failed: 'Failed',
} as const
