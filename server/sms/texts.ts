import { SegmentedMessage } from 'sms-segments-calculator'
import { gsmOf } from '../../shared/gsm.ts'

/**
 * Maximum number of segments for messages in the plain alphabet. Few people read more, and the company pays for each
 * segment.
 */
const MAX_SEGMENTS = 3
/** Maximum characters to process: one more than three segments hold. So longer text is noticed, cut and marked. */
const MAX_CHARACTERS = 460

/** Prepares the text for sending. Counts the segments that the company pays for. */
export function readyToSend(text: string): { body: string; segments: number } {
  let body = gsmOf(text.trim().replaceAll(/\s+/g, ' ')).slice(0, MAX_CHARACTERS)
  let { segmentsCount } = new SegmentedMessage(body)
  while (segmentsCount > MAX_SEGMENTS) {
    // Cuts by whole characters, so that no character is split.
    body = `${[...body].slice(0, -10).join('').trimEnd()}...`
    segmentsCount = new SegmentedMessage(body).segmentsCount
  }
  return { body, segments: segmentsCount }
}
