import { noticeEvents } from '../../shared/notice-events.ts'

/** What a notice is about. What older versions sent, or others, is told apart no further. */
export const abouts = { ...noticeEvents, other: 'Something else' } as const

export const channels = { email: 'Email', text: 'Text', call: 'Call' } as const

export const deliveryStates = {
  waiting: 'Waiting',
  sent: 'Sent',
  delivered: 'Delivered',
  unclear: 'Unclear',
  failed: 'Failed',
  stopped: 'Stopped',
  resting: 'Resting',
} as const
export type DeliveryState = keyof typeof deliveryStates
