import { formatDate } from '../../../shared/dates.ts'
import { plural, say, translated } from '../../../shared/messages.ts'
import type { Company } from '../../../server/hosts.ts'
import { PrintedDocument } from '../../../server/pdf-document.ts'
import {
  classLabels,
  coefficientLabels,
  dropOf,
  dropMessages,
  inspectionLabels,
  type InspectionStatus,
} from '../rules.ts'
import type { FlowClass, FlowOutlet } from '../rules.ts'
import { type HydrantService, hydrantStates } from '../states.ts'

interface TestPdfData {
  testedOn: string
  testedBy: string
  flowedAt: string
  staticPsi: number
  residualPsi: number
  outlets: readonly FlowOutlet[]
  flowGpm: number
  availableGpm: number
  flowClass: FlowClass
  voidReason: string
}

export interface HydrantPdfData {
  number: string
  location: string
  make: string
  sizeInches: number | null
  mainInches: number | null
  service: HydrantService
  serviceReason: string
  status: InspectionStatus
  lastInspectedOn: string | null
  nextInspectionOn: string | null
  testedOn: string | null
  availableGpm: number | null
  flowClass: FlowClass | null
  tests: readonly TestPdfData[]
}

const gpm = (amount: number): string => say`${amount.toLocaleString('en-US')} GPM`
const day = (date: string | null): string => (date ? formatDate(date) : '–')
const inches = (size: number | null): string => (size === null ? '–' : `${size}"`)

/** Renders one hydrant with each of its tests, or all hydrants as a table with totals. */
export function hydrantReport(company: Company, hydrants: readonly HydrantPdfData[], today: string, at: Date) {
  const [only] = hydrants
  const title = hydrants.length === 1 && only ? say`Hydrant ${only.number}` : say`Hydrant Report`
  const pdf = new PrintedDocument(company, { title, at: new Date(at) })
  pdf.heading(title)
  if (hydrants.length === 1 && only) one(pdf, only)
  else all(pdf, hydrants, today)
  pdf.note(
    say`Flows according to NFPA 291: Q = 29.84 c d² √p for each outlet, and Q at 20 psi = Q × ((S − 20) ÷ (S − R))^0.54. Classes at 20 psi: AA from 1,500 GPM, A from 1,000, B from 500, C below 500.`,
  )
  return pdf.end()
}

function one(pdf: PrintedDocument, hydrant: HydrantPdfData): void {
  pdf.details([
    [say`Location`, hydrant.location || '–'],
    [say`Make`, hydrant.make || '–'],
    [say`Hydrant and water main sizes`, `${inches(hydrant.sizeInches)}, ${inches(hydrant.mainInches)}`],
    [
      say`Service`,
      [translated(hydrantStates.labels[hydrant.service]), hydrant.serviceReason].filter(Boolean).join(': '),
    ],
    [say`Last inspection`, day(hydrant.lastInspectedOn)],
    [say`Next inspection`, `${day(hydrant.nextInspectionOn)}, ${translated(inspectionLabels[hydrant.status])}`],
  ])
  for (const test of hydrant.tests) {
    pdf.rule()
    pdf.details([
      [say`Flow test`, say`${formatDate(test.testedOn)}, ${test.testedBy}`],
      ...(test.flowedAt ? [[say`Flow location`, test.flowedAt]] : []),
      [say`Pressures`, say`static ${test.staticPsi} psi, residual ${test.residualPsi} psi`],
      ...test.outlets.map((outlet, n) => [say`Outlet ${n + 1}`, outletText(outlet)]),
      [say`Flow`, gpm(test.flowGpm)],
      [say`Flow at 20 psi`, `${gpm(test.availableGpm)}, ${translated(classLabels[test.flowClass])}`],
    ])
    if (test.voidReason) pdf.note(say`Voided, not counted. Reason: ${test.voidReason}`, { bold: true })
    else {
      const drop = dropMessages[dropOf(test)]
      if (drop) pdf.note(translated(drop))
    }
  }
  if (hydrant.tests.length === 0) pdf.note(say`No flow tests recorded.`)
}

const outletText = ({ diameterInches, coefficient, pitotPsi }: FlowOutlet): string => {
  const label = coefficientLabels[String(coefficient) as keyof typeof coefficientLabels]
  return say`${diameterInches} inches at ${pitotPsi} psi (${translated(label)})`
}

function all(pdf: PrintedDocument, hydrants: readonly HydrantPdfData[], today: string): void {
  const count = (matches: (hydrant: HydrantPdfData) => boolean): string => String(hydrants.filter(matches).length)
  pdf.details([
    [say`On`, formatDate(today)],
    [say`Total, excluding retired`, say`${plural(hydrants.length, '# hydrant', '# hydrants')}`],
    [say`Out of service`, count(({ service }) => service === 'out_of_service')],
    ...Object.entries(inspectionLabels).map(([status, label]) => [
      say`Inspection: ${translated(label)}`,
      count((hydrant) => hydrant.status === status),
    ]),
    ...Object.entries(classLabels).map(([flowClass, label]) => [
      say`Class ${translated(label)}`,
      count((hydrant) => hydrant.flowClass === flowClass),
    ]),
    [say`Never tested`, count(({ flowClass }) => flowClass === null)],
  ])
  pdf.table(
    [say`Hydrant`, say`Location`, say`Service`, say`Next inspection`, say`Flow test`, say`Flow at 20 psi`],
    [9, 26, 14, 16, 16, 15],
    hydrants.map((hydrant) => [
      hydrant.number,
      hydrant.location,
      translated(hydrantStates.labels[hydrant.service]),
      hydrant.nextInspectionOn ?? '–',
      hydrant.testedOn ?? '–',
      hydrant.availableGpm === null ? '–' : `${hydrant.availableGpm.toLocaleString('en-US')} ${hydrant.flowClass}`,
    ]),
  )
}
