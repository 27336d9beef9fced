import * as z from 'zod/mini'
import { endpoint } from '../../shared/endpoint.ts'
import { rowId } from '../../shared/body-parts.ts'

/** Staff know that an address works again, such as after a call. */
export const releaseAddress = endpoint({
  path: 'muni/release/notice/address',
  summary: 'Writes again to an address or number that rests after it was refused',
  access: { audience: 'municipality', privilege: ['communication_management', 'update'] },
  body: z.object({ noticeId: rowId }),
  answer: z.object({ success: z.literal(true), message: z.string() }),
})

/** Whether the provider has it nobody knows, so that whoever asks for it may have it sent twice. */
export const repeatNotice = endpoint({
  path: 'muni/send/notice/again',
  summary: 'Sends a text or calls again of which nobody knows whether it was sent',
  access: { audience: 'municipality', privilege: ['communication_management', 'update'] },
  body: z.object({ noticeId: rowId }),
  answer: z.object({ success: z.literal(true), message: z.string() }),
})
