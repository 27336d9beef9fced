import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Download, FileDown, Pencil } from 'lucide-react'
import { useState } from 'react'
import type { ResponseOf, RequestInputOf, Endpoint } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { page } from '../../../web/page.ts'
import { messageOf } from '../../../web/call.ts'
import { shortInstant } from '../../../web/clock.ts'
import { download } from '../../../web/download.ts'
import { setQuery } from '../../../web/go.ts'
import { useResponse } from '../../../web/query.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { may } from '../../../web/session.ts'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { Panel } from '../../../web/ui/Card.tsx'
import { Select } from '../../../web/ui/Choice.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { FiguresTable } from '../../../web/ui/office/chart/Figures.tsx'
import { PageHead } from '../../../web/ui/Page.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { exportForm1099k, type Figures, form1099k, printForm1099k } from '../contract.ts'
import { boxOfMonth, monthName, months, YEARS_BACK } from '../rules.ts'
import { ReportedForm } from './ReportedForm.tsx'
import { count } from './labels.ts'

type Form = ResponseOf<typeof form1099k>

const save = <E extends Endpoint>(file: E, body: RequestInputOf<E>): void =>
  void download(file, body).catch((problem: unknown) => toast(messageOf(problem), 'danger'))

/** Screen with the figures of Form 1099-K for a year, next to the figures that the provider reported. */
export default function Form1099kScreen() {
  const { t } = useLingui()
  const thisYear = Number(page().today.slice(0, 4))
  const yearParam = Number(useQueryParam('year') ?? '')
  const years = Array.from({ length: YEARS_BACK + 1 }, (_, n) => thisYear - n)
  const year = years.includes(yearParam) ? yearParam : thisYear
  const response = useResponse(form1099k, { year }, { keepPrevious: true })
  return (
    <>
      <PageHead
        title={<Trans>Form 1099-K</Trans>}
        actions={
          <>
            {may('merchant_reports', 'create') && (
              <Button icon={Download} onClick={() => save(exportForm1099k, { year })}>
                <Trans>Export CSV</Trans>
              </Button>
            )}
            <Button icon={FileDown} onClick={() => save(printForm1099k, { year })}>
              <Trans>Save as PDF</Trans>
            </Button>
          </>
        }
      >
        <Trans>
          This page shows gross card payments by payment date. The payment processor reports these amounts to the IRS.
          As the form’s instructions require, fees, refunds and disputes are not deducted.
        </Trans>
      </PageHead>
      <Select
        className="mb-5 md:max-w-40 print:hidden"
        label={t`Year`}
        value={String(year)}
        onChange={({ target }) => setQuery({ year: target.value === String(thisYear) ? null : target.value })}
        options={years.map((one) => ({ value: String(one), label: String(one) }))}
      />
      <ResponseView response={response} loading={<Trans>Loading yearly totals</Trans>} shape="block">
        {(form) => <FormContent key={form.year} form={form} />}
      </ResponseView>
    </>
  )
}

function FormContent({ form }: { form: Form }) {
  const { t } = useLingui()
  const [editing, setEditing] = useState(false)
  const { year, payee, provider, reported, voided, echecks, mayChange } = form
  const entity = reported?.form.payee || payee
  return (
    <div className="flex flex-col gap-6">
      <Panel
        id="boxes"
        title={
          <Trans>
            {entity}, {year}
          </Trans>
        }
        aside={
          mayChange && (
            <Button size="small" icon={Pencil} onClick={() => setEditing(true)}>
              {reported ? <Trans>Edit reported amounts</Trans> : <Trans>Enter reported amounts</Trans>}
            </Button>
          )
        }
      >
        <p className="mb-3 text-muted">
          {reported ? (
            <Trans>
              Reported by {reported.form.filer}. Entered by {reported.savedBy} on {shortInstant(reported.savedAt)}.
            </Trans>
          ) : (
            <Trans>Processor: {provider}. The reported amounts have not been entered yet.</Trans>
          )}
        </p>
        {reported && <Agreement ledger={form.ledger} reported={reported.figures} />}
        <Boxes form={form} />
        <ul className="mt-4 list-disc space-y-1 ps-5 text-muted text-sm">
          <li>
            <Trans>The amounts cover card payments, including fees added to the bill.</Trans>
          </li>
          <li>
            {voided.transactions === 0 ? (
              <Trans>No payments were voided before settlement.</Trans>
            ) : (
              <Plural
                value={voided.transactions}
                one={`# payment for ${formatCents(voided.cents)} was voided before settlement and is not included.`}
                other={`# payments totaling ${formatCents(voided.cents)} were voided before settlement and are not included.`}
              />
            )}
          </li>
          <li>
            <Trans>
              eChecks are bank debits and are usually not reported on the form. Count: {count(echecks.transactions)},
              total: {formatCents(echecks.grossCents)}.
            </Trans>
          </li>
        </ul>
      </Panel>
      {editing && (
        <ReportedForm form={form} onClose={() => setEditing(false)} title={t`Reported amounts for ${year}`} />
      )}
    </div>
  )
}

/** Sentence that states whether the ledger's figures match the reported figures. */
function Agreement({ ledger, reported }: { ledger: Figures; reported: Figures }) {
  const differs = reported.grossCents - ledger.grossCents
  const months = reported.monthCents.filter((cents, n) => cents !== ledger.monthCents[n]).length
  const isSame = differs === 0 && months === 0 && reported.transactions === ledger.transactions
  const amount = formatCents(Math.abs(differs))
  return (
    <Notice className="mb-4" tone={isSame ? 'success' : 'warning'}>
      {isSame ? (
        <Trans>The ledger and the form agree.</Trans>
      ) : differs === 0 ? (
        <Trans>The yearly totals agree, but the monthly amounts or the number of payments differ.</Trans>
      ) : differs > 0 ? (
        <Trans>The form shows {amount} more than the ledger.</Trans>
      ) : (
        <Trans>The form shows {amount} less than the ledger.</Trans>
      )}
    </Notice>
  )
}

function Boxes({ form: { ledger, reported, echecks } }: { form: Form }) {
  const { t } = useLingui()
  const reportedFigures = reported?.figures
  const money = (name: string, of: (figures: Figures) => number) => ({
    name,
    cells: [
      formatCents(of(ledger)),
      ...(reportedFigures ? [formatCents(of(reportedFigures)), formatCents(of(reportedFigures) - of(ledger))] : []),
      formatCents(of(echecks)),
    ],
  })
  return (
    <FiguresTable
      caption={t`Boxes on Form 1099-K`}
      head={t`Box`}
      columns={[t`Ledger`, ...(reportedFigures ? [t`Reported`, t`Difference`] : []), t`eChecks (not on form)`]}
      rows={[
        money(t`1a Gross amount`, ({ grossCents }) => grossCents),
        money(t`1b Card not present`, ({ notPresentCents }) => notPresentCents),
        {
          name: t`3 Number of payments`,
          cells: [
            count(ledger.transactions),
            ...(reportedFigures
              ? [count(reportedFigures.transactions), count(reportedFigures.transactions - ledger.transactions)]
              : []),
            count(echecks.transactions),
          ],
        },
        ...months.map((_, n) => money(`${boxOfMonth(n)} ${monthName(n)}`, ({ monthCents }) => monthCents[n] ?? 0)),
      ]}
    />
  )
}
