import { noticeEvents } from '../../shared/notice-events.ts'

/** Notice events. Unknown events, for example from older versions, count as `other`. */
export const abouts = { ...noticeEvents, other: 'Other' } as const

export const channels = { email: 'Email', text: 'Text', call: 'Call' } as const

export const deliveryStates = {
  waiting: 'Waiting',
  sent: 'Sent',
  delivered: 'Delivered',
  unclear: 'Delivery uncertain',
  failed: 'Failed',
  stopped: 'Stopped',
  resting: 'Paused',
} as const
export type DeliveryState = keyof typeof deliveryStates
