import { SegmentedMessage } from 'sms-segments-calculator'
import { gsmOf } from '../../shared/gsm.ts'

/**
 * Maximum number of segments for text messages in the basic SMS alphabet. Few people read more, and the company pays
 * for each segment.
 */
const MAX_SEGMENTS = 3
/**
 * Maximum number of characters to process: one more than fits into three segments. The extra character shows that the
 * text is too long and must be cut.
 */
const MAX_CHARACTERS = 460

/**
 * Converts a text to the basic SMS alphabet and cuts it to `MAX_SEGMENTS`. Also returns the number of segments, which
 * the company pays for.
 */
export function readyToSend(text: string): { body: string; segments: number } {
  let body = gsmOf(text.trim().replaceAll(/\s+/g, ' ')).slice(0, MAX_CHARACTERS)
  let { segmentsCount } = new SegmentedMessage(body)
  while (segmentsCount > MAX_SEGMENTS) {
    // Cuts by whole characters, so that no surrogate pair is split.
    body = `${[...body].slice(0, -10).join('').trimEnd()}...`
    segmentsCount = new SegmentedMessage(body).segmentsCount
  }
  return { body, segments: segmentsCount }
}
