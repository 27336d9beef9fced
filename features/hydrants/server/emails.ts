import { say } from '../../../shared/messages.ts'
import { defineNotice } from '../../../server/notices/notice.ts'
import { HYDRANTS_PATH } from '../rules.ts'

export interface ServiceNoticeData {
  id: number
  number: string
  location: string
  /** Reason why the hydrant is out of service. Empty if it is back in service or retired. */
  reason: string
  event: 'take_out' | 'return_to_service' | 'retire' | 'restore'
}

const subjects: Record<ServiceNoticeData['event'], (number: string) => string> = {
  take_out: (number) => say`Hydrant ${number} is out of service`,
  return_to_service: (number) => say`Hydrant ${number} is back in service`,
  retire: (number) => say`Hydrant ${number} was retired`,
  restore: (number) => say`Hydrant ${number} is in service again`,
}

/** Mandatory notice without unsubscribe, because a fire engine that stops at a dry hydrant loses minutes. */
export const serviceNotice = defineNotice<ServiceNoticeData>({
  event: 'hydrant.service',
  required: true,
  why: ({ name }) => say`You are receiving this email because ${name} uses this address for its fire department.`,
  content: ({ id, number, location, reason, event }, at) => ({
    subject: subjects[event](number),
    paragraphs: [
      location ? say`${subjects[event](number)}. Location: ${location}` : say`${subjects[event](number)}.`,
      ...(reason ? [say`Reason: ${reason}`] : []),
      { label: say`View hydrant`, url: at.url(`${HYDRANTS_PATH}?hydrant=${id}`) },
    ],
  }),
})
