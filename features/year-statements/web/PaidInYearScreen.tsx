import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { FileDown, Printer, ReceiptText } from 'lucide-react'
import { formatShortDate } from '../../../shared/dates.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { messageOf } from '../../../web/call.ts'
import { download } from '../../../web/download.ts'
import { setQuery } from '../../../web/go.ts'
import { useResponse } from '../../../web/query.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { Button, LinkButton } from '../../../web/ui/Button.tsx'
import { DetailList, Panel } from '../../../web/ui/Card.tsx'
import { Select } from '../../../web/ui/Choice.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { FiguresTable } from '../../../web/ui/office/chart/Figures.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { methodLabel, receiptNumber } from '../../payments/rules.ts'
import { paidInYear, printPaidInYear } from '../contract.ts'
import { Money } from '../../../web/ui/Money.tsx'

type PaidInYearResponse = ResponseOf<typeof paidInYear>

/** Screen with the yearly statement for tax records: payments by item, with totals. */
export default function PaidInYearScreen() {
  const yearParam = useQueryParam('year') ?? ''
  const body = /^20\d\d$/.test(yearParam) ? { year: Number(yearParam) } : {}
  const response = useResponse(paidInYear, body, { keepPrevious: true })
  return (
    <Measure className="py-10 md:py-14 print:p-0">
      <PageHead title={<Trans>Annual Payments</Trans>}>
        <Trans>Your payments in one year, for your records and your taxes.</Trans>
      </PageHead>
      <ResponseView response={response} loading={<Trans>Loading your payments</Trans>} shape="block">
        {(paid) => <YearPayments paid={paid} />}
      </ResponseView>
    </Measure>
  )
}

function YearPayments({ paid }: { paid: PaidInYearResponse }) {
  const { t } = useLingui()
  const { year, years, items } = paid
  const save = () =>
    download(printPaidInYear, { year }).catch((problem: unknown) => toast(messageOf(problem), 'danger'))
  return (
    <>
      <div className="mb-6 flex flex-wrap items-end gap-3 print:hidden">
        <Select
          label={t`Year`}
          value={String(year)}
          onChange={({ target }) => setQuery({ year: target.value === String(years[0]) ? null : target.value })}
          options={[...new Set([...years, year])].map((one) => ({ value: String(one), label: String(one) }))}
        />
        {items.length > 0 && (
          <>
            <Button variant="primary" icon={FileDown} onClick={() => void save()}>
              <Trans>Save as PDF</Trans>
            </Button>
            <Button icon={Printer} onClick={() => window.print()}>
              <Trans>Print</Trans>
            </Button>
          </>
        )}
      </div>
      {items.length === 0 ? (
        <EmptyState
          icon={ReceiptText}
          title={<Trans>No payments in {year} from your account</Trans>}
          action={
            <LinkButton to="/pay-bills" variant="primary">
              <Trans>Pay a bill</Trans>
            </LinkButton>
          }
        >
          <Trans>Choose another year. Payments made without signing in are not listed here.</Trans>
        </EmptyState>
      ) : (
        <Statement paid={paid} />
      )}
      <Notes paid={paid} />
    </>
  )
}

const Statement = ({ paid: { year, payer, items, amountCents, feeCents } }: { paid: PaidInYearResponse }) => {
  const { t } = useLingui()
  return (
    <div className="flex flex-col gap-6">
      <Panel
        id="all"
        title={
          <Trans>
            {payer}, {year}
          </Trans>
        }
      >
        <DetailList
          className="tabular-nums"
          details={[
            [
              t`Total paid, without fees`,
              <strong key="all" className="bookkeeper inline-block">
                <Money cents={amountCents} />
              </strong>,
            ],
            [t`Fees`, formatCents(feeCents)],
          ]}
        />
      </Panel>
      {items.map((item, n) => {
        const name = [item.title, item.reference].filter(Boolean).join(', ')
        return (
          <Panel key={`${n} ${name}`} id={`thing-${n}`} title={name}>
            <FiguresTable
              caption={name}
              head={item.lines.some((line) => line.reference) ? t`Date and item` : t`Date`}
              // The amounts are the first columns, so that they are visible on a phone without scrolling.
              columns={[t`Amount`, t`Fee`, t`Receipt`, t`Payment method`]}
              rows={item.lines.map((line) => ({
                name: [formatShortDate(line.day), line.reference].filter(Boolean).join(', '),
                cells: [
                  ...[line.amountCents, line.feeCents].map(formatCents),
                  ...[receiptNumber(line.paymentId), methodLabel(line.method)],
                ],
              }))}
              totals={[formatCents(item.amountCents), formatCents(item.feeCents), '', '']}
            />
          </Panel>
        )
      })}
    </div>
  )
}

const Notes = ({ paid: { refunded, disputed } }: { paid: PaidInYearResponse }) => (
  <Notice className="mt-6">
    <Trans>
      Each payment is listed under the date it was made. Amounts refunded or returned so far have been subtracted.
      Payments made without signing in are not listed.
    </Trans>{' '}
    {refunded > 0 && (
      <Plural
        value={refunded}
        one="# payment was fully refunded or returned and is not included."
        other="# payments were fully refunded or returned and are not included."
      />
    )}{' '}
    {disputed > 0 && (
      <Plural
        value={disputed}
        one="# payment is disputed and is included until the dispute is decided."
        other="# payments are disputed and are included until the disputes are decided."
      />
    )}
  </Notice>
)
