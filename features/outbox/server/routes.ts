import type { Implemented } from '../../../server/call.ts'
import { listMails } from './list-mails.ts'
import { downloadAttachment, showMail, showPlatformMail } from './show-mail.ts'

export const calls: Implemented[] = [listMails, showMail, showPlatformMail, downloadAttachment]
