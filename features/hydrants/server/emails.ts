import { say } from '../../../shared/words.ts'
import { defineNotice } from '../../../server/notices/notice.ts'
import { HYDRANTS_PATH } from '../rules.ts'

interface ServiceNoticeData {
  id: number
  number: string
  place: string
  /** Why it is out of service; '' for one that is back, or gone. */
  reason: string
  event: 'take_out' | 'put_back' | 'retire' | 'restore'
}

const words: Record<ServiceNoticeData['event'], (number: string) => string> = {
  take_out: (number) => say`Hydrant ${number} is out of service`,
  put_back: (number) => say`Hydrant ${number} is back in service`,
  retire: (number) => say`Hydrant ${number} is retired`,
  restore: (number) => say`Hydrant ${number} is in service again`,
}

/** Required, since an engine that stops at a dry hydrant loses minutes: nobody can unsubscribe from it. */
export const serviceNotice = defineNotice<ServiceNoticeData>({
  event: 'hydrant.service',
  required: true,
  why: ({ name }) => say`You get this mail because ${name} has this address for its fire department.`,
  words: ({ id, number, place, reason, event }, at) => ({
    subject: words[event](number),
    paragraphs: [
      place ? say`${words[event](number)}. It stands at this place: ${place}` : say`${words[event](number)}.`,
      ...(reason ? [say`Why: ${reason}`] : []),
      { label: say`See the hydrant`, url: at.url(`${HYDRANTS_PATH}?hydrant=${id}`) },
    ],
  }),
})
