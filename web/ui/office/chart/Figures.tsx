import { Trans, useLingui } from '@lingui/react/macro'
import { useId } from 'react'
import { cx } from '../../cx.ts'

export interface FiguresProps {
  caption: string
  /** What the first column holds: 'Day'. */
  head: string
  columns: readonly string[]
  rows: readonly { name: string; cells: readonly string[] }[]
  totals?: readonly string[]
}

/** Figures in a table of their own; where there is no room it scrolls within itself. */
export function FiguresTable({ caption, head, columns, rows, totals }: FiguresProps) {
  const id = useId()
  const { t } = useLingui()
  const cell = 'px-1.5 py-1.5 first:ps-3 last:pe-3'
  return (
    <div
      role="group"
      aria-labelledby={id}
      // Reachable, so that the keyboard can scroll it.
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="focus-inside overflow-x-auto border border-line bg-surface print:overflow-visible print:border-0"
    >
      <table className="w-full border-collapse text-sm tabular-nums">
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
            // Two payments of a day have the same name.
            <tr key={`${row} ${name}`} className="border-line border-b">
              {/* A long name wraps on a phone, so that the figures beside it stay in view. */}
              <th scope="row" className={cx(cell, 'max-md:min-w-28 md:whitespace-nowrap text-start font-normal')}>
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

/** The table behind a chart, for those who want the figures, or don't see the picture. */
export const Figures = (props: FiguresProps) => (
  <details className="mt-3">
    <summary className="link inline-block w-fit">
      <Trans>
        Show the figures<span className="spoken">: {props.caption}</span>
      </Trans>
    </summary>
    <div className="mt-2">
      <FiguresTable {...props} />
    </div>
  </details>
)
