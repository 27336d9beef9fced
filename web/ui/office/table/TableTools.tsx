import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactTable } from '@tanstack/react-table'
import { Columns3, Search } from 'lucide-react'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { Button } from '../../Button.tsx'
import { Select } from '../../Choice.tsx'
import { useDisclosure } from '../../Disclosure.tsx'
import { TextField } from '../../TextField.tsx'
import type { TableColumn } from './column.ts'
import type { features } from './features.ts'
import type { TableState } from './table-state.ts'

/** While somebody types, the server is left in peace this long. */
const TYPING_MS = 300

/** The search field; it asks when the typing pauses, and at once on Enter. */
function SearchBox({ state, label }: { state: TableState; label: string | undefined }) {
  const asked = state.question.search
  const [text, setText] = useState(asked)
  const [known, setKnown] = useState(asked)
  // Somebody else changed it: the back button, a link.
  if (known !== asked) {
    setKnown(asked)
    setText(asked)
  }
  const { setSearch } = state
  useEffect(() => {
    if (text.trim() === known) return
    const timer = setTimeout(() => setSearch(text.trim()), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text, known, setSearch])
  return (
    <form
      role="search"
      className="sm:max-md:col-span-2 md:w-60"
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
        before={<Search size={16} />}
        onChange={(event) => setText(event.target.value)}
      />
    </form>
  )
}

interface TableToolsProps<Row extends object> {
  state: TableState
  columns: readonly TableColumn<Row>[]
  table: ReactTable<typeof features, Row>
  searchLabel: string | undefined
  searchable: boolean
  /** The screen's own filters. */
  filters: ReactNode
}

/** Above the results: search, the screen's filters, grouping, and the choice of columns. */
export function TableTools<Row extends object>({
  state,
  columns,
  table,
  searchLabel,
  searchable,
  filters,
}: TableToolsProps<Row>) {
  const { t } = useLingui()
  const groupable = columns.filter(({ groupBy }) => groupBy)
  return (
    <div className="mb-3 flex flex-wrap items-end gap-3 max-md:grid sm:max-md:grid-cols-2 print:hidden">
      {searchable && <SearchBox state={state} label={searchLabel} />}
      {filters}
      {groupable.length > 0 && (
        <Select
          className="md:min-w-40"
          label={<Trans>Group by</Trans>}
          value={state.group}
          onChange={({ target }) => state.setGroup(target.value, groupable.find(({ id }) => id === target.value)?.sort)}
          options={[
            { value: '', label: t`No grouping` },
            ...groupable.map(({ id, header }) => ({ value: id, label: header })),
          ]}
        />
      )}
      <ColumnChoice table={table} columns={columns} />
    </div>
  )
}

function ColumnChoice<Row extends object>({ table, columns }: Pick<TableToolsProps<Row>, 'table' | 'columns'>) {
  const id = useId()
  const { open, toggle, place, button } = useDisclosure()
  return (
    <div ref={place} className="relative">
      <Button ref={button} icon={Columns3} aria-expanded={open} aria-controls={id} onClick={toggle}>
        <Trans>Columns</Trans>
      </Button>
      <fieldset
        id={id}
        hidden={!open}
        className="absolute start-0 top-full z-40 mt-1 max-h-80 min-w-56 overflow-y-auto rounded-sm border border-line bg-surface p-3 shadow-overlay"
      >
        <legend className="spoken">
          <Trans>Columns on show</Trans>
        </legend>
        {columns
          .filter(({ primary }) => !primary)
          .map((column) => {
            const shown = table.getColumn(column.id)
            return (
              <label key={column.id} className="flex min-h-8 items-center gap-3">
                <input
                  type="checkbox"
                  className="size-5"
                  checked={shown?.getIsVisible() ?? true}
                  onChange={(event) => shown?.toggleVisibility(event.target.checked)}
                />
                {column.header}
              </label>
            )
          })}
      </fieldset>
    </div>
  )
}
