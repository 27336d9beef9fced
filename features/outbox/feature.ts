import type { Feature } from '../../server/feature.ts'
import { emailCalls } from './server/list-emails.ts'
import { callListCalls } from './server/sandbox-calls.ts'
import { textFromSandboxCall, textListCalls } from './server/sandbox-texts.ts'
import { downloadAttachment, showEmail, showPlatformEmail } from './server/show-email.ts'

export const outbox: Feature = {
  calls: [
    ...emailCalls,
    showEmail,
    showPlatformEmail,
    downloadAttachment,
    ...textListCalls,
    textFromSandboxCall,
    ...callListCalls,
  ],
}
