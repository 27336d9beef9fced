import type { ReactTable } from '@tanstack/react-table'
import { type ReactNode, type Ref, use } from 'react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Download, Keyboard, Printer } from 'lucide-react'
import { ListFrameContext } from '../ListFrame.tsx'
import type { TableColumn } from './column.ts'
import type { features } from './features.ts'
import { MenuAction, MoreMenu } from './MoreMenu.tsx'
import type { DataTableProps } from './props.ts'
import type { RowChoices } from './use-row-choices.ts'
import type { TableResponse } from './use-table-response.ts'
import { useBusy } from './use-busy.ts'
import { cx } from '../../cx.ts'
import { Text } from '../../Text.tsx'
import { COUNT_CAP } from '../../../../shared/table.ts'

interface HeadProps<Row extends object> extends Pick<
  DataTableProps<never, never, never>,
  'title' | 'level' | 'noun' | 'views' | 'tabs' | 'headActions' | 'moreActions'
> {
  response: Pick<TableResponse<unknown, unknown>, 'data' | 'isFetching'>
  isPrinting: boolean
  moreButton: Ref<HTMLButtonElement>
  onPrint: () => void
  onExport: (() => Promise<void>) | undefined
  columns: readonly TableColumn<Row>[]
  table: ReactTable<typeof features, Row>
  /** True if the rows are shown as a table, which has a density and a column choice. */
  asTable: boolean
  choices: RowChoices
}

/** Header of the table in one line: its title, the number of rows, views, and actions that apply to all rows. */
export function Head<Row extends object>({
  title,
  level = 1,
  noun,
  response: reply,
  choices,
  ...props
}: HeadProps<Row>) {
  const { t } = useLingui()
  const exporting = useBusy(props.onExport)
  const { data, isFetching } = reply
  const frame = use(ListFrameContext)
  const tabs = props.tabs ?? frame?.tabs
  const isMain = level === 1 || frame !== null
  const Heading = isMain ? 'h1' : 'h2'
  return (
    <div className="list-head mb-1 flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 min-[80rem]:flex-nowrap">
      <Heading tabIndex={-1} className={cx('wrap-anywhere min-[80rem]:shrink-0', !isMain && 'text-h3')}>
        {frame?.title ?? title}
      </Heading>
      {frame && <h2 className="spoken">{title}</h2>}
      <p role="status" className="text-muted text-sm min-[80rem]:shrink-0">
        {data && data.count !== null && <Counted count={data.count} noun={noun} isShort={Boolean(tabs)} />}
        {isFetching && <span className="spoken"> {t`Loading`}</span>}
        {exporting.busy && <span className="ms-2">{t`Preparing the CSV file`}</span>}
      </p>
      <Text>{tabs}</Text>
      <div className="ms-auto flex flex-wrap items-center gap-2 min-[80rem]:shrink-0 min-[80rem]:flex-nowrap print:hidden">
        <Text>{props.headActions}</Text>
        <Text>{frame?.actions}</Text>
        <Text>{props.views}</Text>
        <MoreMenu
          ref={props.moreButton}
          label={t`More actions for the list`}
          className="size-10! border-edge! bg-surface"
        >
          <MenuAction icon={Printer} onClick={props.onPrint} disabled={props.isPrinting}>
            <Trans>Print</Trans>
          </MenuAction>
          {props.onExport && (
            <MenuAction icon={Download} onClick={exporting.run} disabled={exporting.busy}>
              <Trans>Export CSV</Trans>
            </MenuAction>
          )}
          <Text>{props.moreActions}</Text>
          <Text>{frame?.moreActions}</Text>
          {props.asTable && (
            <>
              <MenuAction icon={Keyboard} onClick={() => choices.setHelping(true)}>
                <Trans>Keys of lists</Trans>
              </MenuAction>
              <label className="flex min-h-9 items-center gap-3 border-line border-t px-3">
                <input
                  type="checkbox"
                  className="size-5"
                  checked={choices.dense}
                  onChange={({ target }) => choices.setDense(target.checked)}
                />
                <Trans>Compact rows</Trans>
              </label>
              <ColumnChoice table={props.table} columns={props.columns} />
            </>
          )}
        </MoreMenu>
      </div>
    </div>
  )
}

function ColumnChoice<Row extends object>({ table, columns }: Pick<HeadProps<Row>, 'table' | 'columns'>): ReactNode {
  return (
    <fieldset className="border-line border-t px-3 py-1">
      <legend className="pt-1 text-muted text-sm">
        <Trans>Columns</Trans>
      </legend>
      {columns
        .filter(({ primary }) => !primary)
        .map((column) => {
          const tableColumn = table.getColumn(column.id)
          return (
            <label key={column.id} className="flex min-h-8 items-center gap-3">
              <input
                type="checkbox"
                className="size-5"
                checked={tableColumn?.getIsVisible() ?? true}
                onChange={(event) => tableColumn?.toggleVisibility(event.target.checked)}
              />
              <Text>{column.header}</Text>
            </label>
          )
        })}
    </fieldset>
  )
}

interface CountedProps {
  count: number
  noun: (count: number) => string
  /** True to show only the number. Screen readers still read the noun. */
  isShort: boolean
}

function Counted({ count, noun, isShort }: CountedProps) {
  const whole =
    count >= COUNT_CAP ? (
      <Trans>
        {COUNT_CAP.toLocaleString('en-US')} or more {noun(count)}
      </Trans>
    ) : (
      <Trans>
        {count.toLocaleString('en-US')} {noun(count)}
      </Trans>
    )
  if (!isShort) return whole
  return (
    <>
      <span aria-hidden>
        <Text>{count.toLocaleString('en-US') + (count >= COUNT_CAP ? '+' : '')}</Text>
      </span>
      <span className="spoken">{whole}</span>
    </>
  )
}
