import * as z from 'zod/mini'
import { endpoint } from '../../shared/endpoint.ts'
import { rowId } from '../../shared/body-parts.ts'

/** Resumes notices to an address, after staff learned that the address works again, for example from a call. */
export const releaseAddress = endpoint({
  path: 'muni/release/notice/address',
  summary: 'Resumes notifications to a paused email address or phone number',
  access: { audience: 'municipality', privilege: ['alerts', 'update'] },
  body: z.object({ noticeId: rowId }),
  response: z.object({ success: z.literal(true), message: z.string() }),
})

/** Resends a notice with unknown delivery. The recipient may get the notice twice. */
export const repeatNotice = endpoint({
  path: 'muni/resend/notice',
  summary: 'Resends a text message or call with unknown delivery',
  access: { audience: 'municipality', privilege: ['alerts', 'update'] },
  body: z.object({ noticeId: rowId }),
  response: z.object({ success: z.literal(true), message: z.string() }),
})
