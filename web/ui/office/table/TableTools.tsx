import { Trans, useLingui } from '@lingui/react/macro'
import { SlidersHorizontal, X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { Button } from '../../Button.tsx'
import { Select } from '../../Choice.tsx'
import { TextField } from '../../TextField.tsx'
import type { TableColumn } from './column.ts'
import { type FilterField, howManyFit } from './fields.ts'
import { groupingIn } from './groups.ts'
import type { TableState } from './table-state.ts'
import { Text } from '../../Text.tsx'

/** Pause in typing before a request, in milliseconds. */
const TYPING_MS = 300

/** A long placeholder label needs a wider field. */
const searchWidth = (label = ''): number => (label.length > 20 ? 192 : 144)

/** The search field. It searches after a pause in typing, and immediately on Enter. */
function SearchBox({ state, label }: { state: TableState; label: string | undefined }) {
  const search = state.question.search
  const [text, setText] = useState(search)
  const [applied, setApplied] = useState(search)
  // The search was changed by the Back button or a link.
  if (applied !== search) {
    setApplied(search)
    setText(search)
  }
  const { setSearch } = state
  useEffect(() => {
    if (text.trim() === applied) return
    const timer = setTimeout(() => setSearch(text.trim()), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text, applied, setSearch])
  return (
    <form
      role="search"
      className="md:w-(--width)"
      style={{ '--width': `${searchWidth(label)}px` } as object}
      onSubmit={(event) => {
        event.preventDefault()
        setSearch(text.trim())
      }}
    >
      <TextField
        type="search"
        label={label ?? <Trans>Search</Trans>}
        value={text}
        maxLength={100}
        onChange={(event) => setText(event.target.value)}
      />
    </form>
  )
}

interface TableToolsProps<Row extends object> {
  state: TableState
  columns: readonly TableColumn<Row>[]
  /** True if the rows are shown as a table, which has grouping and a sort order. */
  asTable: boolean
  searchLabel: string | undefined
  searchable: boolean
  /** Filter controls that the screen renders itself. */
  filters: ReactNode
  /**
   * Filters described by data. Filters that do not fit in the row are behind a button. Each active filter has a chip.
   */
  fields: readonly FilterField[] | undefined
  /** Width of the table in pixels. `narrow` is true if the window is as narrow as a phone. */
  width: number
  narrow: boolean
}

const GROUP_WIDTH = 144

/**
 * Tools above the results in one line: search, filters, grouping and the active filters. A phone shows the search and sorting, and the
 * other tools are behind a button.
 */
export function TableTools<Row extends object>(props: TableToolsProps<Row>) {
  const { state, columns, asTable, searchLabel, searchable, filters, fields, width, narrow } = props
  const { t } = useLingui()
  const id = useId()
  const [open, setOpen] = useState(false)
  const groupable = columns.filter(({ groupBy }) => asTable && groupBy)
  const room = width - (searchable ? searchWidth(searchLabel) + 8 : 0) - (groupable.length > 0 ? GROUP_WIDTH : 0)
  const beside = narrow ? 0 : howManyFit(fields ?? [], room)
  const folded = fields?.slice(beside) ?? []
  const changed = fields ? folded.filter((field) => field.changed).length : state.changed.length
  const foldsAll = narrow && (folded.length > 0 || filters !== undefined || groupable.length > 0)

  const grouping = groupable.length > 0 && (
    <Select
      className="md:w-34"
      label={<Trans>Group by</Trans>}
      value={state.group}
      onChange={({ target }) => {
        const column = groupingIn(groupable, target.value)?.column
        state.setGroup(target.value, column?.groupBy === 'server' ? undefined : column?.sort)
      }}
      options={[
        { value: '', label: t`No grouping` },
        ...groupable.flatMap(({ id: column, header, groupUnits }) =>
          groupUnits
            ? [
                { value: column, label: t`${header} by day` },
                { value: `${column}:week`, label: t`${header} by week` },
                { value: `${column}:month`, label: t`${header} by month` },
                { value: `${column}:quarter`, label: t`${header} by quarter` },
                { value: `${column}:year`, label: t`${header} by year` },
              ]
            : [{ value: column, label: header }],
        ),
      ]}
    />
  )
  const chips = fields && (
    <Chips
      fields={fields.filter((field, i) => field.changed && field.valueText !== '' && !(field.isComplete && i < beside))}
    />
  )
  return (
    <div className="compact mb-1.5 flex flex-col gap-1 max-md:my-3 print:hidden">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 max-md:flex-col max-md:gap-y-2 max-md:items-stretch">
        {searchable && <SearchBox state={state} label={searchLabel} />}
        <Text>{!narrow && filters}</Text>
        {fields?.slice(0, beside).map((field) => (
          <div key={field.id}>{field.node}</div>
        ))}
        {!narrow && grouping}
        {(foldsAll || folded.length > 0) && (
          <Button
            icon={SlidersHorizontal}
            aria-expanded={open}
            aria-controls={id}
            onClick={() => setOpen(!open)}
            className="md:min-h-11!"
          >
            {narrow ? <Trans>Filters</Trans> : <Trans>More filters</Trans>}
            <Text>{changed > 0 && ` (${changed})`}</Text>
          </Button>
        )}
        {asTable && narrow && <SortChoice state={state} columns={columns} />}
        {!narrow && chips}
      </div>
      <div
        id={id}
        hidden={!open}
        className="flex flex-wrap items-start gap-2 py-1 max-md:flex-col max-md:items-stretch"
      >
        <Text>{narrow && filters}</Text>
        {folded.map((field) => (
          <div key={field.id}>{field.node}</div>
        ))}
        {narrow && grouping}
      </div>
      {narrow && chips}
    </div>
  )
}

/** The active filters, each with a remove button. */
function Chips({ fields }: { fields: readonly FilterField[] }) {
  const { t } = useLingui()
  if (fields.length === 0) return null
  return (
    <ul aria-label={t`Active filters`} className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
      {fields.map(({ id, label, valueText, clear }) => (
        <li
          key={id}
          className="wrap-anywhere inline-flex items-center gap-1 rounded-sm bg-tint-2 ps-2 leading-tight forced-colors:border"
        >
          <span>
            {label && (
              <span className="text-muted">
                <Text>{label}</Text>:{' '}
              </span>
            )}
            <Text>{valueText}</Text>
          </span>
          <button
            type="button"
            className="focus-inside grid size-6 place-items-center rounded-sm text-link hover:bg-tint-2"
            aria-label={t`Remove the filter ${label || valueText}`}
            onClick={clear}
          >
            <X size={15} aria-hidden />
          </button>
        </li>
      ))}
      {fields.length > 1 && (
        <li>
          <button
            type="button"
            className="link min-h-6"
            onClick={() => {
              for (const { clear } of fields) clear()
            }}
          >
            <Trans>Clear all</Trans>
          </button>
        </li>
      )}
    </ul>
  )
}

/** Sort control for cards, which have no column headers. */
function SortChoice<Row>({ state, columns }: { state: TableState; columns: readonly TableColumn<Row>[] }) {
  const { t } = useLingui()
  const sorted = columns.filter(({ sort }) => sort)
  if (sorted.length === 0) return null
  return (
    <Select
      label={<Trans>Sort by</Trans>}
      value={`${state.question.sort} ${state.question.direction}`}
      onChange={({ target }) => {
        const [sort = '', direction] = target.value.split(' ')
        state.setSort(sort, direction === 'asc' ? 'asc' : 'desc')
      }}
      options={sorted.flatMap(({ sort, header }) => [
        { value: `${sort} asc`, label: t`${header}, ascending` },
        { value: `${sort} desc`, label: t`${header}, descending` },
      ])}
    />
  )
}
