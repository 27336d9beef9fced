import { formatDate, formatInstant } from '../../../shared/dates.ts'
import { say, translated } from '../../../shared/messages.ts'
import type { Company } from '../../../server/hosts.ts'
import { PrintedDocument } from '../../../server/pdf-document.ts'
import { kindLabels, severityLabels } from '../rules.ts'
import { orderStates } from '../states.ts'
import { partText } from './parts.ts'
import type { detailsOf } from './show-order.ts'

type Details = Awaited<ReturnType<typeof detailsOf>>

/** Order on a sheet, with the address of its screen. */
export type PrintedOrder = Omit<Details, 'photos'> & { url: string }

/** Prints a sheet for each work order, with room for handwritten results. */
export function orderSheets(company: Company, orders: readonly PrintedOrder[], at: Date): PDFKit.PDFDocument {
  const [first] = orders
  const title = orders.length === 1 && first ? say`Work order ${first.number}` : say`Work orders`
  const document = new PrintedDocument(company, { title, at: new Date(at) })
  for (const [index, order] of orders.entries()) {
    if (index > 0) document.nextPage(company)
    printSheet(document, company, order)
  }
  return document.end()
}

function printSheet(document: PrintedDocument, company: Company, order: PrintedOrder): void {
  const { details, schedule, url } = order
  document.heading(`${order.number}  ${details.title}`)
  document.details(
    [
      [say`Kind`, translated(kindLabels[details.kind])],
      [say`Priority`, translated(severityLabels[details.severity])],
      [say`Status`, translated(orderStates.labels[order.status])],
      [say`Location`, details.location.text],
      [say`Asset`, details.assetName],
      [say`Department`, order.department],
      [say`Assigned to`, order.assignee],
      [say`Crew`, order.crew ? `${order.crew.name} (${order.crew.people})` : ''],
      [say`Scheduled`, schedule ? formatInstant(schedule.startsAt, company.timeZone) : ''],
      [say`Due`, details.dueOn && formatDate(details.dueOn)],
    ].filter(([, value]) => value !== ''),
  )
  if (details.description) document.note(details.description)
  if (order.tasks.length > 0) {
    document.rule()
    for (const { text, doneAt } of order.tasks) document.note(`${doneAt ? '[x]' : '[  ]'}  ${text}`)
  }
  if (details.parts.length > 0) {
    document.rule()
    document.note(say`Parts to bring`)
    for (const part of details.parts) document.note(`[  ]  ${partText(part)}`)
  }
  document.rule()
  document.details([
    [say`Start and end times`, '______________________________________________'],
    [say`Parts`, '______________________________________________'],
    [say`Done by`, '______________________________________________'],
  ])
  document.qr(
    url,
    say`Scan this code to open work order ${order.number}.`,
    say`Scan this code to open the work order, check off its tasks and add photos.`,
  )
}
