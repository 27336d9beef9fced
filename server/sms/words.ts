import { SegmentedMessage } from 'sms-segments-calculator'
import { gsmOf } from '../../shared/gsm.ts'

/** Three of the plain alphabet. Nobody reads more, and each costs as much as a text of its own. */
const MAX_SEGMENTS = 3
/** One more than they hold, so that what is longer is cut and says so. */
const MAX_CHARACTERS = 460

/** Words as they are sent, and how many texts they are paid as. */
export function readyToSend(words: string): { body: string; segments: number } {
  let body = gsmOf(words.trim().replaceAll(/\s+/g, ' ')).slice(0, MAX_CHARACTERS)
  let { segmentsCount } = new SegmentedMessage(body)
  while (segmentsCount > MAX_SEGMENTS) {
    // Whole characters, so that none is cut in two.
    body = `${[...body].slice(0, -10).join('').trimEnd()}...`
    segmentsCount = new SegmentedMessage(body).segmentsCount
  }
  return { body, segments: segmentsCount }
}
