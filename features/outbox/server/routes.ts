import type { Implemented } from '../../../server/call.ts'
import { mailCalls } from './list-mails.ts'
import { textFromSandboxCall, textListCalls } from './sandbox-texts.ts'
import { downloadAttachment, showMail, showPlatformMail } from './show-mail.ts'

export const calls: Implemented[] = [
  ...mailCalls,
  showMail,
  showPlatformMail,
  downloadAttachment,
  ...textListCalls,
  textFromSandboxCall,
]
