import { useLingui } from '@lingui/react/macro'
import { Fragment, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { addDays } from '../../shared/dates.ts'
import type { AnswerOf, Endpoint } from '../../shared/endpoint.ts'
import { audiencesOf } from '../../shared/endpoint.ts'
import type { Column, List, RowOf } from '../../shared/list.ts'
import { formatCents } from '../../shared/money.ts'
import { boot } from '../boot.ts'
import { call } from '../call.ts'
import { shortInstant } from '../clock.ts'
import { download } from '../download.ts'
import { may } from '../session.ts'
import { Checkbox, Select } from '../ui/Choice.tsx'
import { TextField } from '../ui/TextField.tsx'
import { DataTable } from '../ui/office/DataTable.tsx'
import { DateRange } from '../ui/office/DateRange.tsx'
import type { TableColumn, TableRest } from '../ui/office/table/column.ts'
import type { RowHandlers } from '../ui/office/table/RowActions.tsx'
import { type TableQuestion, type TableState, useTableState } from '../ui/office/table/table-state.ts'

/** What a screen may change of a list: how a cell looks, what is done with rows, what stands above them. */
interface ListScreenProps<L extends List> {
  of: L
  /** What goes into the body of each call besides, such as which company is meant. */
  about?: Readonly<Record<string, unknown>>
  /** The title is the screen's h1, unless the list stands within one. */
  level?: 1 | 2
  /** Names a row in the labels of its buttons. */
  rowName: (row: RowOf<L>) => string
  /** A cell that is more than its text. `label` is that text. */
  cells?: { [Name in keyof L['columns']]?: (row: RowOf<L>, label: string) => ReactNode }
  /** Columns and filters that these filters leave without meaning. */
  without?: (filters: Readonly<Record<string, string>>) => readonly string[]
  /** A filter that is chosen in a way of its own, such as one company of all. */
  fields?: { [Name in keyof L['filters']]?: (props: FieldProps) => ReactNode }
  /** How what is typed into a text filter is written, such as a phone number. */
  typing?: { [Name in keyof L['filters']]?: (text: string) => string }
  /** What rows are called under these filters; null: as the list says. */
  nouns?: (filters: Readonly<Record<string, string>>) => readonly [string, string] | null
  actions?: RowHandlers<RowOf<L>>
  onRow?: (row: RowOf<L>) => void
  /** What explains the totals: the rows' amounts that are not in them. */
  rest?: (totals: unknown) => readonly TableRest[]
  /** Wants to be told which rows came from the server. */
  onRows?: (rows: readonly RowOf<L>[]) => void
  headActions?: ReactNode
  /** When there is nothing at all, whatever one asks. */
  empty?: ReactNode
  children?: ReactNode | ((state: Steering) => ReactNode)
}

export interface FieldProps {
  value: string
  onChange: (value: string) => void
}

/** The filters as they stand in the address, and how to change them. */
export interface Steering {
  filters: Readonly<Record<string, string>>
  setFilters: (values: Record<string, string>) => void
}

/** A list on a screen of its own, with everything that comes from its declaration. */
export function ListScreen<L extends List>({
  of: list,
  about,
  rowName,
  cells,
  without,
  fields,
  typing,
  nouns,
  onRows,
  empty,
  children,
  ...props
}: ListScreenProps<L>) {
  type Shown = RowOf<L>
  const state = useTableState<string>({
    sort: list.usualSort,
    direction: (list.columns[list.usualSort] as Column | undefined)?.sort ?? 'desc',
    filters: usualOf(list),
  })
  const steering = { filters: state.question.filters, setFilters: state.setFilters }
  const { filters } = state.question
  const left = without?.(filters) ?? []
  const nothingAsked = !state.question.search && Object.values(filters).every((value) => value === '')
  const mayExport = list.csv && mayCall(list.csv.call)
  return (
    <DataTable<Shown, AnswerOf<L['call']>['totals'], string>
      name={list.path}
      title={list.title}
      state={state}
      queryKey={about ? [list.path, about] : [list.path]}
      load={async (question, signal) => {
        const body = { ...about, ...asked(list, question, left) }
        const answer = (await call(list.call as never, body as never, signal && { signal })) as never
        onRows?.((answer as { rows: readonly Shown[] }).rows)
        return answer
      }}
      columns={columnsOf(list, left, cells as never)}
      rowKey={({ id }) => id}
      rowName={rowName}
      noun={(count) => (nouns?.(filters) ?? list.nouns)[count === 1 ? 0 : 1]}
      searchable={list.search !== undefined}
      searchLabel={list.search}
      totals={(totals) =>
        list.totalled
          .filter((name) => (list.columns[name] as Column).total && (list.columns[name] as Column).kind === 'cents')
          .map((name) => ({
            label: (list.columns[name] as Column).total ?? '',
            column: name,
            cents: (totals as Record<string, number> | null)?.[name] ?? 0,
          }))
      }
      {...(mayExport && {
        onExport: (question: TableQuestion) =>
          download(list.csv?.call as never, { ...about, ...asked(list, question, left) } as never),
      })}
      filters={<Filters list={list} left={left} fields={fields} typing={typing} state={state} />}
      {...(nothingAsked && { empty })}
      {...props}
    >
      {typeof children === 'function' ? children(steering) : children}
    </DataTable>
  )
}

/** Each filter as the address has it when it says nothing. */
function usualOf(list: List): Record<string, string> {
  const chosen = Object.entries(list.filters).map(([name, { usual = '' }]) => [name, usual])
  const back = list.days?.usual
  const range = list.days && {
    fromDate: back === undefined ? '' : addDays(boot.today, -back),
    toDate: back === undefined ? '' : boot.today,
  }
  return { ...range, ...Object.fromEntries(chosen) }
}

/** What stands in the address, as the call takes it: what could not have been chosen is left out. */
function asked(list: List, { filters, ...question }: TableQuestion, left: readonly string[] = []) {
  const known = Object.entries(filters).flatMap(([name, value]) => {
    if (value === '' || left.includes(name)) return []
    if (name === 'fromDate' || name === 'toDate') return [[name, value]]
    const filter = list.filters[name]
    if (!filter) return []
    const typed = filter.kind === 'flag' ? value === '1' : /^\d{1,15}$/.test(value) ? [Number(value), value] : [value]
    const fitting = (Array.isArray(typed) ? typed : [typed]).find((one) => filter.value.safeParse(one).success)
    return fitting === undefined ? [] : [[name, fitting]]
  })
  return {
    ...question,
    sort: list.sorts.includes(question.sort) ? question.sort : list.usualSort,
    filters: Object.fromEntries(known) as Record<string, unknown>,
  }
}

function mayCall({ access }: Endpoint): boolean {
  return audiencesOf(access).length > 0 && (!access.privilege || may(...access.privilege))
}

type Value = string | number | boolean | null

/** A column's value as its text. */
function labelOf(column: Column, value: Value): string {
  if (value === null || value === '') return ''
  if (column.kind === 'cents') return formatCents(Number(value))
  if (column.kind === 'whole') return Number(value).toLocaleString('en-US')
  if (column.kind === 'instant') return shortInstant(String(value))
  if (column.kind === 'choice') return column.labels?.[String(value)] ?? String(value)
  if (column.kind === 'flag') return value === true ? 'Yes' : 'No'
  return String(value)
}

type Cells = Readonly<Record<string, ((row: Record<string, Value>, label: string) => ReactNode) | undefined>>

function columnsOf<Shown>(list: List, left: readonly string[], cells: Cells = {}): readonly TableColumn<Shown>[] {
  return Object.entries(list.columns as Record<string, Column>)
    .filter(([id, { kind, screen }]) => kind !== 'fact' && screen !== false && !left.includes(id))
    .map(([id, column]) => {
      const label = (row: Record<string, Value>) => labelOf(column, row[id] ?? null)
      const own = cells[id]
      return {
        id,
        header: column.label,
        cell: (row: Record<string, Value>) => {
          const words = label(row)
          if (own) return own(row, words)
          if (column.kind === 'instant' && words) return <time dateTime={String(row[id])}>{words}</time>
          return words || column.empty || '–'
        },
        ...(column.sort && { sort: id, sortFirst: column.sort }),
        ...((column.kind === 'cents' || column.kind === 'whole') && { align: 'end' as const }),
        ...(column.kind === 'cents' && { cents: (row: Record<string, Value>) => Number(row[id]) }),
        ...(column.primary && { primary: true }),
        ...(column.hidden && { hidden: true }),
        ...(column.group && { groupBy: (row: Record<string, Value>) => label(row) || column.empty || '–' }),
      }
    }) as unknown as readonly TableColumn<Shown>[]
}

interface FiltersProps {
  list: List
  left: readonly string[]
  fields: Readonly<Record<string, ((props: FieldProps) => ReactNode) | undefined>> | undefined
  typing: Readonly<Record<string, ((text: string) => string) | undefined>> | undefined
  state: TableState
}

function Filters({ list, left, fields, typing, state }: FiltersProps) {
  const { t } = useLingui()
  const { filters } = state.question
  const { setFilters } = state
  return (
    <>
      {list.days && (
        <DateRange
          className="sm:max-md:col-span-2"
          label={list.days.label ?? t`Date range`}
          from={filters['fromDate'] ?? ''}
          to={filters['toDate'] ?? ''}
          onChange={({ from, to }) => setFilters({ fromDate: from, toDate: to })}
        />
      )}
      {Object.entries(list.filters)
        .filter(([name]) => !left.includes(name))
        .map(([name, { kind, label, labels = {}, all = '' }]) => {
          const value = filters[name] ?? ''
          const own = fields?.[name]
          if (own)
            return (
              <Fragment key={name}>{own({ value, onChange: (chosen) => setFilters({ [name]: chosen }) })}</Fragment>
            )
          if (kind === 'choice')
            return (
              <Select
                key={name}
                className="md:min-w-40"
                label={label}
                value={value}
                onChange={({ target }) => setFilters({ [name]: target.value })}
                options={[
                  ...(all ? [{ value: '', label: all }] : []),
                  ...Object.entries(labels).map(([code, words]) => ({ value: code, label: words })),
                ]}
              />
            )
          if (kind === 'flag')
            return (
              <Checkbox
                key={name}
                className="self-end sm:max-md:col-span-2 md:mb-1"
                label={label}
                checked={value === '1'}
                onChange={({ target }) => setFilters({ [name]: target.checked ? '1' : '' })}
              />
            )
          return kind === 'text' ? (
            <Typed
              key={name}
              label={label}
              asked={value}
              format={typing?.[name]}
              ask={(text) => setFilters({ [name]: text })}
            />
          ) : null
        })}
    </>
  )
}

/** While somebody types, the server is left in peace this long. */
const TYPING_MS = 300

interface TypedProps {
  label: string
  asked: string
  format: ((text: string) => string) | undefined
  ask: (text: string) => void
}

/** One field of a search; it asks when the typing pauses. */
function Typed({ label, asked, format = (text) => text, ask }: TypedProps) {
  const [text, setText] = useState(asked)
  const [known, setKnown] = useState(asked)
  // Somebody else changed it: the back button, a link.
  if (known !== asked) {
    setKnown(asked)
    setText(asked)
  }
  const send = useEffectEvent(ask)
  useEffect(() => {
    if (text.trim() === known) return
    const timer = setTimeout(() => send(text.trim()), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text, known])
  return (
    <TextField
      className="md:w-44"
      label={label}
      value={text}
      maxLength={100}
      onChange={({ target }) => setText(format(target.value))}
    />
  )
}
