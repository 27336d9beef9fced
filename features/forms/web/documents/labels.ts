import { say, translated } from '../../../../shared/messages.ts'
import { download } from '../../../../web/download.ts'
import { type DocumentStatus, standings } from '../../contract-documents.ts'

export const documentStatusLabel = (documentStatus: DocumentStatus): string => translated(standings[documentStatus])

/** Wraps a download as a button action with a message, because the browser needs a moment to show the download. */
export async function saved(...of: Parameters<typeof download>): Promise<{ message: string }> {
  await download(...of)
  return { message: say`Your download has started.` }
}
