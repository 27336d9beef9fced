import { SegmentedMessage } from 'sms-segments-calculator'
import { gsmOf } from '../../shared/gsm.ts'

/** Limit for messages in the plain alphabet. Few people read more, and the company pays for each segment. */
const MAX_SEGMENTS = 3
/** One more than three segments hold, so that longer text is cut and marked. */
const MAX_CHARACTERS = 460

/** Prepares the words for sending and counts the segments to pay for. */
export function readyToSend(text: string): { body: string; segments: number } {
  let body = gsmOf(text.trim().replaceAll(/\s+/g, ' ')).slice(0, MAX_CHARACTERS)
  let { segmentsCount } = new SegmentedMessage(body)
  while (segmentsCount > MAX_SEGMENTS) {
    // Counts whole characters, so that none is cut in two.
    body = `${[...body].slice(0, -10).join('').trimEnd()}...`
    segmentsCount = new SegmentedMessage(body).segmentsCount
  }
  return { body, segments: segmentsCount }
}
