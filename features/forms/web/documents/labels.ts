import { say, translated } from '../../../../shared/messages.ts'
import { download } from '../../../../web/download.ts'
import { type DocumentStatus, standings } from '../../contract-documents.ts'

export const documentStatusLabel = (documentStatus: DocumentStatus): string => translated(standings[documentStatus])

/**
 * Starts a download and returns a message for the button's user, because the browser needs a moment to show the
 * download.
 */
export async function saved(...of: Parameters<typeof download>): Promise<{ message: string }> {
  await download(...of)
  return { message: say`Your download has started.` }
}
