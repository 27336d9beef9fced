import { formatDate } from '../../../shared/dates.ts'
import { say } from '../../../shared/words.ts'
import type { Company } from '../../../server/hosts.ts'
import { Paper } from '../../../server/paper.ts'

export interface Certificate {
  number: string
  title: string
  subject: string
  place: string
  /** The town's day. */
  on: string
  by: string
  /** The town's own words. */
  words: string
  items: readonly { title: string; on: string; by: string }[]
}

/** What whoever was inspected hangs on the wall. */
export function certificatePdf(company: Company, certificate: Certificate, at: Date): PDFKit.PDFDocument {
  const { number, title, subject, place, on, by, words, items } = certificate
  const paper = new Paper(company, { title: say`Certificate ${number}`, at: new Date(at) })
  paper.heading(title)
  paper.facts([
    [say`Certificate`, number],
    [say`Subject`, subject],
    ...(place && place !== subject ? [[say`Place`, place]] : []),
    [say`Passed on`, formatDate(on)],
    [say`Inspector`, by],
  ])
  paper.rule()
  for (const paragraph of words.split(/\n{2,}/)) paper.note(paragraph, { bold: true })
  paper.rule()
  paper.table(
    [say`Looked at`, say`Result`, say`On`, say`By`],
    [40, 12, 22, 26],
    items.map((item) => [item.title, say`Pass`, formatDate(item.on), item.by]),
  )
  return paper.end()
}
