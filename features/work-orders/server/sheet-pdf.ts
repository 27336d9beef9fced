import { formatDate, formatInstant } from '../../../shared/dates.ts'
import { say, translated } from '../../../shared/words.ts'
import type { Company } from '../../../server/hosts.ts'
import { Paper } from '../../../server/paper.ts'
import { kindLabels, severityLabels } from '../rules.ts'
import { orderStates } from '../states.ts'
import type { detailsOf } from './show-order.ts'

type Details = Awaited<ReturnType<typeof detailsOf>>

/** Printable sheet of a work order, with room for handwritten results. */
export function orderSheet(company: Company, order: Details, url: string, at: Date): PDFKit.PDFDocument {
  const { facts, schedule } = order
  const paper = new Paper(company, { title: say`Work order ${order.number}`, at: new Date(at) })
  paper.heading(`${order.number}  ${facts.title}`)
  paper.details(
    [
      [say`Kind`, translated(kindLabels[facts.kind])],
      [say`Priority`, translated(severityLabels[facts.severity])],
      [say`Status`, translated(orderStates.labels[order.status])],
      [say`Place`, facts.place.text],
      [say`Asset`, facts.assetName],
      [say`Department`, order.department],
      [say`Assigned to`, order.assignee],
      [say`Crew`, order.crew ? `${order.crew.name} (${order.crew.people})` : ''],
      [say`Scheduled`, schedule ? formatInstant(schedule.startsAt, company.timeZone) : ''],
      [say`Due`, facts.dueOn && formatDate(facts.dueOn)],
    ].filter(([, value]) => value !== ''),
  )
  if (facts.description) paper.note(facts.description)
  if (order.tasks.length > 0) {
    paper.rule()
    for (const { text, doneAt } of order.tasks) paper.note(`${doneAt ? '[x]' : '[  ]'}  ${text}`)
  }
  paper.rule()
  paper.details([
    [say`Begun, ended`, '______________________________________________'],
    [say`Parts`, '______________________________________________'],
    [say`Done by`, '______________________________________________'],
  ])
  paper.qr(
    url,
    say`Scan this to open work order ${order.number}.`,
    say`Scan this to open the order, tick its checklist and add photos.`,
  )
  return paper.end()
}
