import type { Company } from '../../../server/hosts.ts'
import { PrintedDocument } from '../../../server/pdf-document.ts'
import { formatInstant } from '../../../shared/dates.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { say } from '../../../shared/messages.ts'
import type { form1099k } from '../contract.ts'
import { boxOfMonth, monthName, months } from '../rules.ts'

/**
 * Renders the calculated figures of a year and the figures that the provider reported. The PDF is filed with Form
 * 1099-K and does not replace it.
 */
export function form1099kPdf(
  company: Company,
  { year, payee, provider, ledger, echecks, voided, reported }: Omit<ResponseOf<typeof form1099k>, 'mayChange'>,
  now: Date,
): PDFKit.PDFDocument {
  const title = say`Figures for Form 1099-K, ${String(year)}`
  const pdf = new PrintedDocument(company, { title: `${title}, ${company.name}`, at: now })
  pdf.heading(title)
  pdf.details([
    [say`Legal entity`, reported?.form.payee || payee],
    ...(reported?.form.tinLast4 ? [[say`Taxpayer ID number (TIN)`, say`ending in ${reported.form.tinLast4}`]] : []),
    [say`Processor`, provider],
    ...(reported ? [[say`Filed by`, reported.form.filer]] : []),
    [say`As of`, formatInstant(now, company.timeZone)],
  ])
  pdf.rule({ dashed: true })
  const reportedText = (cents: number | undefined) => (cents === undefined ? '–' : formatCents(cents))
  const row = (box: string, what: string, cents: number, providerCents: number | undefined) => [
    ...[box, what, formatCents(cents), reportedText(providerCents)],
    providerCents === undefined ? '–' : formatCents(providerCents - cents),
  ]
  const figures = reported?.figures
  const count = (value: number | undefined) => (value === undefined ? '–' : value.toLocaleString('en-US'))
  pdf.table(
    [say`Box`, say`Description`, say`Ledger`, say`Reported`, say`Difference`],
    [1, 4, 3, 3, 3],
    [
      row('1a', say`Gross amount`, ledger.grossCents, figures?.grossCents),
      row('1b', say`Card not present`, ledger.notPresentCents, figures?.notPresentCents),
      [
        ...['3', say`Number of payments`, count(ledger.transactions), count(figures?.transactions)],
        figures ? count(figures.transactions - ledger.transactions) : '–',
      ],
      ...months.map((_, n) =>
        row(boxOfMonth(n), monthName(n), ledger.monthCents[n] ?? 0, figures ? (figures.monthCents[n] ?? 0) : undefined),
      ),
    ],
  )
  pdf.note(
    say`The figures include card payments and the fees that payers paid in addition to their bills. Each payment is counted on its payment date in the municipality’s time zone. As the form’s instructions require, fees, refunds and disputes are not deducted.`,
  )
  if (voided.transactions > 0)
    pdf.note(
      say`Voided before settlement (not included): ${count(voided.transactions)}, total: ${formatCents(voided.cents)}.`,
    )
  pdf.note(
    say`eChecks are bank debits and are usually not reported on this form. Count: ${count(echecks.transactions)}, total: ${formatCents(echecks.grossCents)}.`,
  )
  return pdf.end()
}
