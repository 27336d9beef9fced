import { say, translated } from '../../../../shared/words.ts'
import { download } from '../../../../web/download.ts'
import { type DocumentStatus, standings } from '../../contract-papers.ts'

export const standingWords = (standing: DocumentStatus): string => translated(standings[standing])

/** A download as what a button does: it takes a moment until the browser shows it. */
export async function saved(...of: Parameters<typeof download>): Promise<{ message: string }> {
  await download(...of)
  return { message: say`Your download has begun.` }
}
