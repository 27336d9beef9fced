import { Trans, useLingui } from '@lingui/react/macro'
import { ChevronLeft, FileDown, Printer, QrCode as QrCodeIcon } from 'lucide-react'
import { useState } from 'react'
import { formatDate } from '../../../shared/dates.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { call, messageOf } from '../../../web/call.ts'
import { useResponse } from '../../../web/query.ts'
import { useParam } from '../../../web/routes.tsx'
import { Button, LinkButton } from '../../../web/ui/Button.tsx'
import { Amounts, DetailList, Panel, Perforation, Sheet, SheetPart } from '../../../web/ui/Card.tsx'
import { Letterhead } from '../../../web/ui/Letterhead.tsx'
import { QrCode } from '../../../web/ui/QrCode.tsx'
import { useSession } from '../../../web/session.ts'
import { Notice, Refusal } from '../../../web/ui/Notice.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { Failed, LoadingState } from '../../../web/ui/States.tsx'
import { openPayment, printBill, showBill } from '../contract.ts'
import { accountPath } from '../rules.ts'
import { Comparison, WhyTitle } from './Comparison.tsx'
import { saveDocument } from './Records.tsx'
import { Days } from './YearPanels.tsx'
import { Text } from '../../../web/ui/Text.tsx'
import { Money } from '../../../web/ui/Money.tsx'

/** Screen of a bill, with the content of its PDF and an explanation of the difference from the previous bill. */
export default function BillScreen() {
  const accountId = Number(useParam('accountId'))
  const billNumber = useParam('billNumber')
  const { data, error, refetch } = useResponse(showBill, { accountId, billNumber })
  return (
    <Measure className="py-10 md:py-14 print:p-0">
      <PageHead
        title={<Trans>Utility Bill</Trans>}
        className="print:hidden"
        actions={
          <LinkButton to={accountPath(accountId)} icon={ChevronLeft}>
            <Trans>Back to account</Trans>
          </LinkButton>
        }
      />
      {error && !data ? (
        <Failed error={error} title={<Trans>This bill could not be loaded</Trans>} onRetry={() => void refetch()} />
      ) : data ? (
        <div className="grid items-start gap-6 lg:grid-cols-[36rem_1fr] lg:gap-x-10">
          <BillSheet of={data} />
          <div className="grid gap-6 print:hidden">
            {data.isOfBillingSystem && (
              <Notice title={<Trans>The original bill is a separate PDF</Trans>}>
                <Trans>
                  The PDF may contain more than the summary on this page. Use the button below to save the PDF.
                </Trans>
              </Notice>
            )}
            <div className="flex flex-wrap gap-3">
              {data.isOfBillingSystem ? (
                <Button
                  variant="primary"
                  icon={FileDown}
                  onClick={() => saveDocument(printBill, { accountId, billNumber })}
                >
                  <Trans>Save original bill (PDF)</Trans>
                </Button>
              ) : (
                <>
                  <Button variant="primary" icon={Printer} onClick={() => globalThis.print()}>
                    <Trans>Print bill</Trans>
                  </Button>
                  <Button icon={FileDown} onClick={() => saveDocument(printBill, { accountId, billNumber })}>
                    <Trans>Download as PDF</Trans>
                  </Button>
                </>
              )}
            </div>
            <PayCode accountId={accountId} />
            {data.comparison && (
              <Panel id="why" title={<WhyTitle of={data.comparison} />}>
                <Comparison of={data.comparison} />
              </Panel>
            )}
          </div>
        </div>
      ) : (
        <LoadingState shape="block">
          <Trans>Loading your bill</Trans>
        </LoadingState>
      )}
    </Measure>
  )
}

/** QR code for paying the account. Created only on request, because each code opens a checkout. */
function PayCode({ accountId }: { accountId: number }) {
  const { t } = useLingui()
  const [url, setUrl] = useState('')
  const [refusal, setRefusal] = useState('')
  const impersonating = useSession()?.impersonating
  const show = async () => {
    try {
      const { token } = await call(openPayment, { accountIds: [accountId] })
      setUrl(`${location.origin}/guest/payment/${token}`)
    } catch (error) {
      setRefusal(messageOf(error))
    }
  }
  if (impersonating) return null
  return (
    <Panel id="pay-code" title={<Trans>Let someone else pay</Trans>}>
      <Refusal>{refusal || null}</Refusal>
      {url ? (
        <div className="grid gap-3">
          <QrCode text={url} label={t`QR code for this account’s payment page`} />
          <p className="text-sm wrap-anywhere">{url}</p>
          <p className="text-muted">
            <Trans>For 30 days, anyone with this code can see the amount due on this account and pay it.</Trans>
          </p>
        </div>
      ) : (
        <Button icon={QrCodeIcon} onClick={() => void show()}>
          <Trans>Show payment code</Trans>
        </Button>
      )}
    </Panel>
  )
}

function BillSheet({ of: { bill, account, lines, paidElsewhereCents } }: { of: ResponseOf<typeof showBill> }) {
  return (
    <Sheet>
      <SheetPart>
        <Letterhead />
        <DetailList
          details={[
            [<Trans key="bill">Bill</Trans>, bill.number],
            [<Trans key="date">Bill date</Trans>, formatDate(bill.date)],
            [<Trans key="account">Account</Trans>, account.number],
            [<Trans key="customer">Customer</Trans>, account.customer],
            [<Trans key="address">Service address</Trans>, account.address],
            [
              <Trans key="period">Period</Trans>,
              <>
                <Trans>
                  {formatDate(bill.periodStart)} to {formatDate(bill.periodEnd)}
                </Trans>
                <Text>{', '}</Text>
                <Days days={bill.days} />
              </>,
            ],
            [<Trans key="due">Due</Trans>, formatDate(bill.dueDate)],
          ]}
        />
      </SheetPart>
      <Perforation />
      <SheetPart>
        <Amounts
          lines={lines.map(({ text, note, amountCents }, n) => ({
            id: n,
            label: (
              <>
                <Text>{text}</Text>
                {note && <span className="block text-muted text-sm">{note}</span>}
              </>
            ),
            amount: formatCents(amountCents),
          }))}
          total={{ label: <Trans>Amount of this bill</Trans>, amount: formatCents(bill.amountCents) }}
        />
        {paidElsewhereCents > 0 && (
          <p className="mt-4 flex justify-between gap-4 tabular-nums">
            <span>
              <Trans>Payments received outside the portal</Trans>
            </span>
            <span>
              <Money cents={paidElsewhereCents} />
            </span>
          </p>
        )}
        <p className="mt-4 text-muted text-sm">
          <Trans>This bill does not include any earlier balance or payments made through the portal.</Trans>
        </p>
      </SheetPart>
    </Sheet>
  )
}
