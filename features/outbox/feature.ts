import type { Feature } from '../../server/feature.ts'
import { mailCalls } from './server/list-mails.ts'
import { callListCalls } from './server/sandbox-calls.ts'
import { textFromSandboxCall, textListCalls } from './server/sandbox-texts.ts'
import { downloadAttachment, showMail, showPlatformMail } from './server/show-mail.ts'

export const outbox: Feature = {
  calls: [
    ...mailCalls,
    showMail,
    showPlatformMail,
    downloadAttachment,
    ...textListCalls,
    textFromSandboxCall,
    ...callListCalls,
  ],
}
