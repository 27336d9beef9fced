import { Trans, useLingui } from '@lingui/react/macro'
import { useId } from 'react'
import { cx } from '../../cx.ts'
import { useNarrow } from '../table/use-narrow.ts'

export interface FiguresProps {
  caption: string
  /** Header of the first column: 'Day'. */
  head: string
  columns: readonly string[]
  rows: readonly { name: string; cells: readonly string[] }[]
  totals?: readonly string[]
}

/** Approximate number of characters that fit in a row next to the row name, on the narrowest phone. */
const ROOM = 20
const PADDING = 1.5

const fitsPhone = ({ columns, rows, totals }: FiguresProps): boolean =>
  columns.reduce((sum, head, n) => {
    const texts = [...head.split(' '), ...rows.map(({ cells }) => cells[n] ?? ''), totals?.[n] ?? '']
    return sum + Math.max(...texts.map(({ length }) => length)) + PADDING
  }, 0) <= ROOM

const TABLE = 'w-full border-collapse tabular-nums'
/** Tables with at least this many columns use a smaller font, so that the last column fits at 1280 px. */
const MANY_COLUMNS = 8

/** Table of figures. On a phone without space for all columns, the figures of each row appear below the row's name. */
export function FiguresTable(props: FiguresProps) {
  const narrow = useNarrow()
  return narrow && !fitsPhone(props) ? <Stacked {...props} /> : <SideBySide {...props} />
}

function SideBySide({ caption, head, columns, rows, totals }: FiguresProps) {
  const id = useId()
  const { t } = useLingui()
  const isDense = columns.length >= MANY_COLUMNS
  const cell = cx(isDense ? 'px-1' : 'px-1.5', 'py-1.5 first:ps-3 last:pe-3')
  return (
    <div
      role="group"
      aria-labelledby={id}
      // Focusable, so that the keyboard can scroll it.
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="focus-inside overflow-x-auto border border-line bg-surface print:overflow-visible print:border-0"
    >
      <table className={cx(TABLE, isDense ? 'text-xs' : 'text-sm')}>
        <caption id={id} className="spoken">
          {caption}
        </caption>
        <thead>
          <tr className="border-link border-b-2">
            {[head, ...columns].map((name, n) => (
              <th key={name} scope="col" className={cx(cell, 'align-bottom', n === 0 ? 'text-start' : 'text-end')}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, cells }, row) => (
            // The index is part of the key, because two payments on the same day have the same name.
            <tr key={`${row} ${name}`} className="border-line border-b">
              {/* A long name wraps, so that the figures next to it stay visible. */}
              <th
                scope="row"
                className={cx(cell, 'min-w-20 text-start font-normal', !isDense && 'md:whitespace-nowrap')}
              >
                {name}
              </th>
              {cells.map((text, n) => (
                <td key={columns[n]} className={cx(cell, 'whitespace-nowrap text-end')}>
                  {text}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        {totals && (
          <tfoot>
            <tr>
              <th scope="row" className={cx(cell, 'text-start')}>
                {t`Total`}
              </th>
              {totals.map((text, n) => (
                <td key={columns[n]} className={cx(cell, 'whitespace-nowrap text-end font-bold')}>
                  {text && <span className="bookkeeper inline-block">{text}</span>}
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  )
}

/** Stacked form of the table. Each row becomes a section with one line for each figure. */
function Stacked({ caption, columns, rows, totals }: FiguresProps) {
  const { t } = useLingui()
  const parts = [...rows, ...(totals ? [{ name: t`Total`, cells: totals, isTotal: true }] : [])]
  return (
    <table className={cx(TABLE, 'border border-line bg-surface text-sm')}>
      <caption className="spoken">{caption}</caption>
      {parts.map(({ name, cells, ...part }, row) => (
        <tbody key={`${row} ${name}`} className="border-line border-b last:border-b-0 [&>tr:last-child>*]:pb-2">
          <tr>
            <th scope="rowgroup" colSpan={2} className="px-3 pt-2 text-start">
              {name}
            </th>
          </tr>
          {cells.map(
            (text, n) =>
              text && (
                <tr key={columns[n]}>
                  <th scope="row" className="py-0.5 ps-3 pe-2 text-start font-normal text-muted">
                    {columns[n]}
                  </th>
                  <td className="py-0.5 pe-3 text-end whitespace-nowrap">
                    {'isTotal' in part ? <strong className="bookkeeper inline-block">{text}</strong> : text}
                  </td>
                </tr>
              ),
          )}
        </tbody>
      ))}
    </table>
  )
}

/** Expandable table of a chart, for readers who want the figures or cannot see the chart. */
export const Figures = (props: FiguresProps) => (
  <details className="mt-3">
    <summary className="link inline-block w-fit">
      <Trans>
        Show figures<span className="spoken"> {props.caption}</span>
      </Trans>
    </summary>
    <div className="mt-2">
      <FiguresTable {...props} />
    </div>
  </details>
)
