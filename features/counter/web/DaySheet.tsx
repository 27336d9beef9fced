import { Trans, useLingui } from '@lingui/react/macro'
import { Printer } from 'lucide-react'
import { formatCents } from '../../../shared/money.ts'
import { translated } from '../../../shared/words.ts'
import { shortInstant } from '../../../web/clock.ts'
import { useAnswer } from '../../../web/query.ts'
import { AnsweredSlideOut } from '../../../web/ui/Answered.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { Amounts, Facts } from '../../../web/ui/Card.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { methodLabel, methods, officeMethods, orderStatus } from '../../payments/rules.ts'
import { daySheet, type Sheet } from '../contract.ts'
import { denominations, isKept } from '../rules.ts'
import { drawerStates } from '../states.ts'
import { nameOf } from './CountForm.tsx'
import { TakenTable } from './TakenTable.tsx'

/** A drawer's day: what it began with, what was taken by each way to pay, what was counted, and what is over or short. */
export function DaySheet({ id, onClose }: { id: number; onClose: () => void }) {
  const answer = useAnswer(daySheet, { drawerId: id })
  return (
    <AnsweredSlideOut
      title={<Trans>Day sheet</Trans>}
      onClose={onClose}
      answer={answer}
      loading={<Trans>Loading the day sheet</Trans>}
    >
      {({ drawer }) => (
        <div className="prints-alone">
          <Day drawer={drawer} />
        </div>
      )}
    </AnsweredSlideOut>
  )
}

function Day({ drawer }: { drawer: Sheet }) {
  const { t } = useLingui()
  const kept = drawer.payments.filter(isKept)
  const { cash, check, moneyOrder } = officeMethods
  const ways = [cash, check, moneyOrder, methods.card, methods.echeck].flatMap((method) => {
    const mine = kept.filter((one) => one.method === method)
    const isProviders = method === methods.card || method === methods.echeck
    return isProviders && mine.length === 0
      ? []
      : [{ method, count: mine.length, cents: mine.reduce((sum, { totalCents }) => sum + totalCents, 0) }]
  })
  const voided = drawer.payments.filter(({ status }) => status === orderStatus.void).length
  return (
    <>
      <div className="mb-4 print:hidden">
        <Button size="small" icon={Printer} onClick={() => window.print()}>
          <Trans>Print the day sheet</Trans>
        </Button>
      </div>
      <Facts
        facts={[
          [t`Clerk`, drawer.clerk],
          [t`Status`, translated(drawerStates.labels[drawer.status])],
          [t`Opened`, shortInstant(drawer.openedAt)],
          [t`Closed`, drawer.closedAt ? shortInstant(drawer.closedAt) : '–'],
          ...(drawer.note ? [[t`Note`, drawer.note] as const] : []),
        ]}
      />
      {drawer.closingCents !== null && drawer.expectedCents !== null && (
        <>
          <OverShort overCents={drawer.closingCents - drawer.expectedCents} />
          <h3 className="mt-6 mb-2 text-lg">
            <Trans>The count</Trans>
          </h3>
          <Amounts
            lines={denominations.flatMap((value) => {
              const count = drawer.closingCounts?.[value] ?? 0
              return count === 0
                ? []
                : [{ id: value, label: `${count} × ${nameOf(value)}`, amount: formatCents(count * value) }]
            })}
            total={{ label: t`Counted`, amount: formatCents(drawer.closingCents) }}
          />
        </>
      )}
      <h3 className="mt-6 mb-2 text-lg">
        <Trans>What was taken</Trans>
      </h3>
      <Amounts
        lines={[
          { id: 'opening', label: t`Opened with`, amount: formatCents(drawer.openingCents) },
          ...ways.map(({ method, count, cents }) => ({
            id: method,
            label: `${methodLabel(method)} (${count})`,
            amount: formatCents(cents),
          })),
        ]}
      />
      {voided > 0 && (
        <p className="mt-2 text-muted text-sm">
          <Trans>Voided, and so not in it: {voided}.</Trans>
        </p>
      )}
      <div className="mt-6">
        <TakenTable payments={drawer.payments} />
      </div>
    </>
  )
}

const OverShort = ({ overCents }: { overCents: number }) => (
  <Notice tone={overCents === 0 ? 'success' : 'warning'} className="mt-4">
    {overCents === 0 ? (
      <Trans>The cash is right.</Trans>
    ) : overCents > 0 ? (
      <Trans>{formatCents(overCents)} over</Trans>
    ) : (
      <Trans>{formatCents(-overCents)} short</Trans>
    )}
  </Notice>
)
