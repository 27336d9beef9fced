import type { Company } from '../../../server/hosts.ts'
import { Paper } from '../../../server/paper.ts'
import { formatInstant } from '../../../shared/dates.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { say } from '../../../shared/words.ts'
import type { form1099k } from '../contract.ts'
import { boxOfMonth, monthName, months } from '../rules.ts'

/** The figures of a year beside what was reported: to be filed with the paper, and not the form itself. */
export function form1099kPdf(
  company: Company,
  { year, payee, provider, ledger, echecks, voided, reported }: Omit<ResponseOf<typeof form1099k>, 'mayChange'>,
  now: Date,
): PDFKit.PDFDocument {
  const title = say`Figures for Form 1099-K, ${String(year)}`
  const paper = new Paper(company, { title: `${title}, ${company.name}`, at: now })
  paper.heading(title)
  paper.facts([
    [say`Legal entity`, reported?.form.payee || payee],
    ...(reported?.form.tinLast4 ? [[say`Taxpayer number`, say`ending ${reported.form.tinLast4}`]] : []),
    [say`Processor`, provider],
    ...(reported ? [[say`Filed by`, reported.form.filer]] : []),
    [say`As of`, formatInstant(now, company.timeZone)],
  ])
  paper.rule({ dashed: true })
  const paperCents = (cents: number | undefined) => (cents === undefined ? '–' : formatCents(cents))
  const row = (box: string, what: string, cents: number, theirs: number | undefined) => [
    ...[box, what, formatCents(cents), paperCents(theirs)],
    theirs === undefined ? '–' : formatCents(theirs - cents),
  ]
  const figures = reported?.figures
  const count = (value: number | undefined) => (value === undefined ? '–' : value.toLocaleString('en-US'))
  paper.table(
    [say`Box`, say`What it is`, say`Ledger`, say`Reported`, say`Difference`],
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
  paper.note(
    say`Payments by card, by the day of the payment in the town’s time, with the fee that the payer paid on top. Nothing is taken off: no fee, no refund and no dispute, as the form’s instructions have it.`,
  )
  if (voided.transactions > 0)
    paper.note(
      say`Not in it, since they were voided before they were settled: ${count(voided.transactions)} for ${formatCents(voided.cents)}.`,
    )
  paper.note(
    say`eChecks are bank debits and as a rule no part of this form: ${count(echecks.transactions)} for ${formatCents(echecks.grossCents)}.`,
  )
  return paper.end()
}
