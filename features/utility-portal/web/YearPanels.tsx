import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { formatDate } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { Panel } from '../../../web/ui/Card.tsx'
import { BarChart } from '../../../web/ui/office/chart/BarChart.tsx'
import { Figures, FiguresTable } from '../../../web/ui/office/chart/Figures.tsx'
import { formatQuantity, type UsageKind } from '../rules.ts'
import { figuresOf, type Months, type Year } from './year-figures.ts'
import { Text } from '../../../web/ui/Text.tsx'

/**
 * Charts that compare usage, billing and payments of the last twelve months with the previous year. Each chart has a
 * table.
 */
export function YearPanels({ year }: { year: Year }) {
  const { t } = useLingui()
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      {year.uses.map((uses, nth) => (
        <UsePanel key={uses.unit} id={`use-${nth}`} uses={uses} />
      ))}
      <YearPanel id="billed" title={t`Billed amounts`} months={year.billed} format={formatCents}>
        <Trans>No bills in the last two years.</Trans>
      </YearPanel>
      <YearPanel id="paid" title={t`Paid amounts`} months={year.paid} format={formatCents} withoutDays>
        <Trans>No payments in the last two years.</Trans>
      </YearPanel>
    </div>
  )
}

interface YearPanelProps {
  id: string
  title: string
  months: Months
  format: (value: number) => string
  /** True if the table has no columns for days, because payments have no billing period. */
  withoutDays?: boolean
  /** Text shown if the year has no data. */
  children: ReactNode
  below?: ReactNode
}

export function YearPanel({ id, title, months, format, withoutDays, children, below }: YearPanelProps) {
  const { t } = useLingui()
  const days = (many: number) => (many === 0 ? '–' : String(many))
  const { points, now, before, rows, totals } = figuresOf(months, format, days)
  const pick = (cells: readonly string[]) => (withoutDays ? [cells[0] ?? '', cells[2] ?? ''] : cells)
  const isEmpty = [...now, ...before].every((value) => value === 0)
  const [sum = '', , sumBefore = ''] = totals
  const columns = pick([t`Last 12 months`, t`Days`, t`Previous year`, t`Days, previous year`])
  return (
    <Panel id={id} title={title}>
      {isEmpty ? (
        <p className="text-muted">{children}</p>
      ) : (
        <>
          <BarChart
            beside
            points={points}
            series={[
              { id: 'now', label: t`Last 12 months`, values: now },
              { id: 'before', label: t`Previous year`, values: before },
            ]}
            format={format}
            summary={t`${title}: ${sum} in the last 12 months, ${sumBefore} in the year before. The table below has the figures.`}
          />
          <Figures
            caption={title}
            head={t`Month`}
            columns={columns}
            rows={rows.map(({ name, cells }) => ({ name, cells: pick(cells) }))}
            totals={pick(totals)}
          />
        </>
      )}
      <Text>{below}</Text>
    </Panel>
  )
}

type Uses = Year['uses'][number]

export function UsePanel({ id, uses }: { id: string; uses: Uses }) {
  const { t } = useLingui()
  const { service, unit, source, months, periods } = uses
  const kinds: Record<UsageKind, string> = {
    actual: t`Actual reading`,
    estimated: t`Estimated`,
    corrected: t`Corrected estimate`,
    billed: t`From the bill`,
  }
  const isRead = source === 'reads'
  return (
    <YearPanel
      id={id}
      title={t`${service} usage in ${unit}`}
      months={months}
      format={formatQuantity}
      below={
        <details className="mt-3">
          <summary className="link inline-block w-fit">
            {isRead ? <Trans>Show each reading</Trans> : <Trans>Show usage for each bill</Trans>}
          </summary>
          <div className="mt-2">
            <FiguresTable
              caption={t`${service} readings`}
              head={t`Period end`}
              columns={[...(isRead ? [t`Reading`] : []), t`Usage`, t`Days`, t`Source`]}
              rows={periods.map(({ until, reading, used, days, kind }) => ({
                name: formatDate(until),
                cells: [
                  ...(isRead ? [formatQuantity(reading ?? 0)] : []),
                  formatQuantity(used),
                  String(days),
                  kinds[kind],
                ],
              }))}
            />
          </div>
        </details>
      }
    >
      <Trans>No usage in the last two years.</Trans>
    </YearPanel>
  )
}

export const Days = ({ days }: { days: number }) => <Plural value={days} one="# day" other="# days" />
