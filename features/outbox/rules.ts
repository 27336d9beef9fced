/** Delivery status of an email. */
export const deliveries = { waiting: 'Waiting', sent: 'Sent', failed: 'Failed' } as const

/** Direction of a sandbox text message. */
export const textDeliveries = { 'to phone': 'To the phone', 'from phone': 'From the phone' } as const

/** Status of a sandbox call. */
export const callStates = {
  queued: 'Queued',
  completed: 'Answered',
  busy: 'Busy',
  'no-answer': 'Not answered',
  failed: 'Failed',
} as const
