import { Trans, useLingui } from '@lingui/react/macro'
import { ArrowLeft, Printer } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { page } from '../../../page.ts'
import { messageOf } from '../../../call.ts'
import { longInstant } from '../../../clock.ts'
import { Button } from '../../Button.tsx'
import { cx } from '../../cx.ts'
import { toast } from '../../Toasts.tsx'
import { gather, type GatheredPage, type Load } from './gather.ts'
import type { TableColumn, TableGroup, TableRest, TableTotal } from './column.ts'
import type { TableQuestion } from './table-state.ts'
import { Text } from '../../Text.tsx'
import { PrintedGroups, PrintedRows, PrintedTotals } from './PrintedTables.tsx'

type Printing<Row, Totals> =
  | { step: 'gathering'; got: number; stop: () => void }
  | { step: 'ready'; data: GatheredPage<Row, Totals> }

/** Loads a whole list for printing, in requests of `stride` rows. */
export function usePrinting<Row, Totals>(load: Load<Row, Totals>, question: TableQuestion, stride: number) {
  const [printing, setPrinting] = useState<Printing<Row, Totals> | null>(null)

  const start = async () => {
    const stopping = new AbortController()
    const stop = () => {
      stopping.abort()
      setPrinting(null)
    }
    setPrinting({ step: 'gathering', got: 0, stop })
    try {
      const data = await gather(load, question, stride, stopping.signal, (got) => {
        if (!stopping.signal.aborted) setPrinting({ step: 'gathering', got, stop })
      })
      if (!stopping.signal.aborted) setPrinting({ step: 'ready', data })
    } catch (error) {
      if (stopping.signal.aborted) return
      setPrinting(null)
      toast(messageOf(error), 'danger')
    }
  }
  return { printing, start: () => void start(), end: () => setPrinting(null) }
}

/** Progress while rows load, with a cancel button. */
export const Gathering = ({ got, stop }: { got: number; stop: () => void }) => (
  <div className="mb-3 flex flex-wrap items-center gap-4 border border-line bg-surface p-3">
    <p role="status">
      <Trans>Preparing to print. Rows so far: {got.toLocaleString('en-US')}</Trans>
    </p>
    <Button size="small" onClick={stop}>
      <Trans>Cancel</Trans>
    </Button>
  </div>
)

interface PrintedListProps<Row, Totals> {
  title: string
  level: 1 | 2
  /** Texts of the active filters. */
  filters: readonly { label: string; valueText: string }[]
  columns: readonly TableColumn<Row>[]
  data: GatheredPage<Row, Totals>
  groups: readonly TableGroup[] | null
  groupedBy: string | null
  rowKey: (row: Row) => string | number
  noun: (count: number) => string
  totals: readonly TableTotal[]
  rest: readonly TableRest[]
  onEnd: () => void
}

/** Tables with more columns than this print in landscape. */
const UPRIGHT_COLUMNS = 7

/** Header of a printed list: site name and query. Hidden on the screen, which shows the filters themselves. */
export const PrintHead = ({ filters }: Pick<PrintedListProps<never, never>, 'filters'>) => (
  <div className="hidden print:block">
    <p className="font-bold">{page().siteName}</p>
    <QuerySummary filters={filters} />
  </div>
)

function QuerySummary({ filters, at }: Pick<PrintedListProps<never, never>, 'filters'> & { at?: string }) {
  const { t } = useLingui()
  const printed = at === undefined ? [] : [{ label: t`Printed`, valueText: longInstant(at) }]
  return (
    <dl className="mb-3 flex flex-wrap gap-x-6 text-sm">
      {[...filters, ...printed].map(({ label, valueText }) => (
        <div key={label} className="flex gap-1.5">
          <dt className="text-muted">
            <Text>{label}</Text>:
          </dt>
          <dd>{valueText}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Printable list: site name, query, all rows and totals. The browser numbers the pages. */
export function PrintedList<Row, Totals>(props: PrintedListProps<Row, Totals>) {
  const { title, level, filters, columns, data, groups, groupedBy, rowKey, noun, totals, rest, onEnd } = props
  const { t } = useLingui()
  const [at] = useState(() => new Date().toISOString())
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    button.current?.focus()
    globalThis.print()
  }, [])
  const Heading = level === 1 ? 'h1' : 'h2'
  const count = data.rows.length.toLocaleString('en-US')
  return (
    <section aria-label={t`Print ${title}`}>
      <div className="mb-4 flex flex-wrap gap-3 print:hidden">
        <Button ref={button} variant="primary" icon={Printer} onClick={() => globalThis.print()}>
          {data.rows.length === 1 ? <Trans>Print 1 row</Trans> : <Trans>Print {count} rows</Trans>}
        </Button>
        <Button icon={ArrowLeft} onClick={onEnd}>
          <Trans>Back to the list</Trans>
        </Button>
      </div>
      <article
        className={cx(
          'printed-list overflow-x-auto border border-line bg-surface p-5 print:overflow-visible print:border-0 print:p-0',
          columns.length > UPRIGHT_COLUMNS && 'wide',
        )}
        // Focusable, so that the keyboard can scroll content wider than the window.
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
      >
        <p className="font-bold">{page().siteName}</p>
        <Heading tabIndex={-1} className="mb-2 text-h3!">
          {title}
        </Heading>
        <QuerySummary filters={filters} at={at} />
        {groups && groupedBy && <PrintedGroups groups={groups} groupedBy={groupedBy} noun={noun} />}
        <PrintedRows title={title} columns={columns} rows={data.rows} rowKey={rowKey} />
        {totals.length > 0 && <PrintedTotals totals={totals} rest={rest} />}
        <p className="mt-3 text-sm">
          {data.more ? (
            <Trans>
              These are the first {count} {noun(data.rows.length)}. To see the rest, narrow the filters or export the
              list as a CSV file.
            </Trans>
          ) : (
            <Trans>
              {count} {noun(data.rows.length)} in total.
            </Trans>
          )}
        </p>
      </article>
    </section>
  )
}
