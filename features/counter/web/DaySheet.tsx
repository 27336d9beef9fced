import { Trans, useLingui } from '@lingui/react/macro'
import { Printer } from 'lucide-react'
import { useState } from 'react'
import { formatCents } from '../../../shared/money.ts'
import { translated } from '../../../shared/messages.ts'
import { page } from '../../../web/page.ts'
import { call } from '../../../web/call.ts'
import { shortInstant } from '../../../web/clock.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { ResponseSlideOut } from '../../../web/ui/ResponseView.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { Amounts, DetailList } from '../../../web/ui/Card.tsx'
import { FormDialog } from '../../../web/ui/FormDialog.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { Link } from '../../../web/ui/Link.tsx'
import { MoneyField } from '../../../web/ui/MoneyField.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { methodLabel, methods, officeMethods, orderStatus } from '../../payments/rules.ts'
import { orderStates, type OrderStatus } from '../../payments/states.ts'
import { correctDrawer, correctionForm, daySheet, type Sheet } from '../contract.ts'
import { drawers } from '../list.ts'
import { denominations, isRetained } from '../rules.ts'
import { drawerStates } from '../states.ts'
import { nameOf } from './CountForm.tsx'
import { PaymentsTable } from './PaymentsTable.tsx'
import { Money } from '../../../web/ui/Money.tsx'
import { Text } from '../../../web/ui/Text.tsx'

/** Day sheet of a drawer: opening cash, payments by method, count, and over or short. */
export function DaySheet({ id, onClose }: { id: number; onClose: () => void }) {
  const response = useResponse(daySheet, { drawerId: id })
  return (
    <ResponseSlideOut
      title={<Trans>Day sheet</Trans>}
      onClose={onClose}
      response={response}
      loading={<Trans>Loading day sheet</Trans>}
    >
      {({ drawer, mayCorrect }) => (
        <>
          <div className="prints-alone">
            <p className="hidden font-bold text-lg print:block">{page().siteName}</p>
            <Day drawer={drawer} />
          </div>
          {drawer.since.length > 0 && <Since drawer={drawer} />}
          {mayCorrect && <Correct drawer={drawer} />}
        </>
      )}
    </ResponseSlideOut>
  )
}

function Day({ drawer }: { drawer: Sheet }) {
  const { t } = useLingui()
  const retained = drawer.payments.filter(isRetained)
  const { cash, check, moneyOrder } = officeMethods
  const methodRows = [cash, check, moneyOrder, methods.card, methods.echeck].flatMap((method) => {
    const methodPayments = retained.filter((one) => one.method === method)
    const isProviders = method === methods.card || method === methods.echeck
    return isProviders && methodPayments.length === 0
      ? []
      : [
          {
            method,
            count: methodPayments.length,
            cents: methodPayments.reduce((sum, { totalCents }) => sum + totalCents, 0),
          },
        ]
  })
  const voided = drawer.payments.filter(({ status }) => status === orderStatus.void).length
  return (
    <>
      <div className="mb-4 print:hidden">
        <Button size="small" icon={Printer} onClick={() => window.print()}>
          <Trans>Print day sheet</Trans>
        </Button>
      </div>
      <DetailList
        details={[
          [t`Staff member`, drawer.cashier],
          [t`Status`, translated(drawerStates.labels[drawer.status])],
          [t`Opened`, shortInstant(drawer.openedAt)],
          [t`Closed`, drawer.closedAt ? shortInstant(drawer.closedAt) : '–'],
          ...(drawer.expectedCents === null ? [] : [[t`Expected cash`, formatCents(drawer.expectedCents)] as const]),
          ...(drawer.note ? [[t`Note`, drawer.note] as const] : []),
        ]}
      />
      {drawer.closingCents !== null && drawer.expectedCents !== null && (
        <>
          <OverShort overShortCents={drawer.closingCents - drawer.expectedCents} />
          <h3 className="mt-6 mb-2 text-lg">
            <Trans>Cash count</Trans>
          </h3>
          <Amounts
            lines={denominations.flatMap((value) => {
              const count = drawer.closingCounts?.[value] ?? 0
              return count === 0
                ? []
                : [{ id: value, label: `${count} × ${nameOf(value)}`, amount: formatCents(count * value) }]
            })}
            total={{ label: t`Counted cash`, amount: formatCents(drawer.closingCents) }}
          />
        </>
      )}
      <h3 className="mt-6 mb-2 text-lg">
        <Trans>Payments received</Trans>
      </h3>
      <Amounts
        lines={[
          { id: 'opening', label: t`Opening cash`, amount: formatCents(drawer.openingCents) },
          ...methodRows.map(({ method, count, cents }) => ({
            id: method,
            label: `${methodLabel(method)} (${count})`,
            amount: formatCents(cents),
          })),
        ]}
      />
      {voided > 0 && (
        <p className="mt-2 text-muted text-sm">
          <Trans>Voided payments (not included): {voided}.</Trans>
        </p>
      )}
      <div className="mt-6">
        <PaymentsTable payments={drawer.payments} isClosed={drawer.closedAt !== null} />
      </div>
      {drawer.laterVoids.length > 0 && (
        <>
          <h3 className="mt-6 mb-2 text-lg">
            <Trans>Voided payments from earlier drawers</Trans>
          </h3>
          <Amounts
            lines={drawer.laterVoids.map(({ paymentId, receipt, at, totalCents }) => ({
              id: paymentId,
              label: `${receipt} · ${shortInstant(at)}`,
              amount: formatCents(-totalCents),
            }))}
          />
        </>
      )}
      {drawer.corrections.length > 0 && <Corrections drawer={drawer} />}
    </>
  )
}

const correctedCount = ({ closingCents, corrections }: Sheet): number =>
  corrections.reduce((sum, { cents }) => sum + cents, closingCents ?? 0)

/** Corrections below the day sheet, which stays unchanged. */
function Corrections({ drawer }: { drawer: Sheet }) {
  const { t } = useLingui()
  return (
    <>
      <h3 className="mt-6 mb-2 text-lg">
        <Trans>Corrections after closing</Trans>
      </h3>
      <Amounts
        lines={drawer.corrections.map(({ id, at, by, cents, reason }) => ({
          id,
          label: `${shortInstant(at)} · ${by} · ${reason}`,
          amount: formatCents(cents),
        }))}
        total={{ label: t`Corrected count`, amount: formatCents(correctedCount(drawer)) }}
      />
    </>
  )
}

/** Changes to payments after the drawer closed. Each change belongs to the day on which the money moved. */
const Since = ({ drawer }: { drawer: Sheet }) => (
  <Notice className="mt-6">
    <p className="font-bold">
      <Trans>Payments changed after closing</Trans>
    </p>
    <ul>
      {drawer.since.map(({ paymentId, receipt, totalCents, status }) => (
        <li key={paymentId}>
          <Link className="link" to={`/municipality/reports/payments?payment=${paymentId}`}>
            {receipt}
          </Link>{' '}
          · <Money cents={totalCents} /> · <Text>{translated(orderStates.labels[status as OrderStatus])}</Text>
        </li>
      ))}
    </ul>
  </Notice>
)

function Correct({ drawer }: { drawer: Sheet }) {
  const { t } = useLingui()
  const [isCorrecting, setIsCorrecting] = useState(false)
  const countedCents = correctedCount(drawer)
  const form = useZodForm(correctionForm, {
    defaultValues: { countedCents, reason: '' },
    draft: { name: `correction:${drawer.id}` },
  })
  return (
    <div className="mt-6 print:hidden">
      <Button size="small" onClick={() => setIsCorrecting(true)}>
        <Trans>Correct the count</Trans>
      </Button>
      {isCorrecting && (
        <FormDialog
          title={t`Correct the count`}
          form={form}
          submit={<Trans>Record correction</Trans>}
          onSubmit={async (request) => {
            const correctionBase = { drawerId: drawer.id, basis: { countedCents } }
            try {
              toast((await call(correctDrawer, { ...request, ...correctionBase })).message)
            } finally {
              await Promise.all([reload(daySheet), reload(drawers.call)])
            }
          }}
          onClose={() => setIsCorrecting(false)}
        >
          <p>
            <Trans>
              {drawer.cashier}’s day sheet will not change. The correction will print below it and will be posted today.
            </Trans>
          </p>
          <MoneyField
            label={t`Actual cash in the drawer`}
            hint={t`Current count: ${formatCents(countedCents)}.`}
            {...form.money('countedCents')}
          />
          <TextField
            label={t`Reason`}
            hint={t`Auditors can read this reason.`}
            maxLength={200}
            {...form.field('reason')}
          />
        </FormDialog>
      )}
    </div>
  )
}

const OverShort = ({ overShortCents }: { overShortCents: number }) => (
  <Notice tone={overShortCents === 0 ? 'success' : 'warning'} className="mt-4">
    {overShortCents === 0 ? (
      <Trans>The drawer is balanced.</Trans>
    ) : overShortCents > 0 ? (
      <Trans>{formatCents(overShortCents)} over</Trans>
    ) : (
      <Trans>{formatCents(-overShortCents)} short</Trans>
    )}
  </Notice>
)
