import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
import type { Filter, List } from '../../shared/list.ts'
import { translated } from '../../shared/words.ts'
import { Checkbox, Select } from '../ui/Choice.tsx'
import type { FilterField } from '../ui/office/table/fields.ts'
import { TextField } from '../ui/TextField.tsx'
import { yesNo } from './columns.tsx'
import { usualDays } from './DaysFilter.tsx'

/** A filter that the screen draws by itself: one chosen among things with an id, or one that a link set. */
export interface OwnFilter {
  label?: string
  /** Without a field it is set by links alone. */
  field?: (value: string, set: (value: string) => void) => ReactNode
  /** What it says, for its chip and for what is printed; `''` for nothing. */
  words?: (value: string) => string
  width?: number
}

/** Each filter as it is when the address says nothing. */
export const usualFilters = (list: List): Record<string, string> => ({
  ...usualDays(list),
  ...Object.fromEntries(Object.entries(list.filters).map(([name, { usual = '' }]) => [name, usual])),
})

const LETTER = 7.5
const AROUND = 56

/** As wide as its longest choice, within reason. */
const widthOf = ({ kind, labels = {}, all = '', label }: Filter): number => {
  const longest = Math.max(all.length, label.length, ...Object.values(labels).map((text) => text.length))
  return kind === 'choice' ? Math.min(220, Math.max(128, longest * LETTER + AROUND)) : 176
}

interface FieldProps {
  filter: Filter
  value: string
  /** How what is typed is written. */
  format: ((text: string) => string) | undefined
  set: (value: string) => void
}

function FilterControl({ filter, value, format, set }: FieldProps) {
  const { kind, label, labels = {}, all = '' } = filter
  if (kind === 'text') return <TypedFilter filter={filter} value={value} format={format} set={set} />
  if (kind === 'flag')
    return (
      <Checkbox
        className="md:min-h-11 md:justify-center"
        label={translated(label)}
        checked={value === '1'}
        onChange={({ target }) => set(target.checked ? '1' : '')}
      />
    )
  return (
    <Select
      label={translated(label)}
      value={value}
      onChange={({ target }) => set(target.value)}
      options={[
        ...(all ? [{ value: '', label: translated(all) }] : []),
        ...Object.entries(labels).map(([code, text]) => ({ value: code, label: translated(text) })),
      ]}
    />
  )
}

/** While somebody types, the server is left in peace this long. */
const TYPING_MS = 300

function TypedFilter({ filter, value, format = (typed) => typed, set }: FieldProps) {
  const [text, setText] = useState(value)
  const [known, setKnown] = useState(value)
  // Somebody else changed it: its chip, the back button.
  if (known !== value) {
    setKnown(value)
    setText(value)
  }
  useEffect(() => {
    if (text.trim() === value) return
    const timer = setTimeout(() => set(text.trim()), TYPING_MS)
    return () => clearTimeout(timer)
    // `set` is made anew with each address.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [text, value])
  return (
    <TextField
      label={translated(filter.label)}
      value={text}
      maxLength={100}
      onChange={({ target }) => setText(format(target.value))}
    />
  )
}

/** The declared filters and the screen's own, each with its words and a way out. */
export function fieldsOf(
  list: List,
  own: Readonly<Record<string, OwnFilter | undefined>>,
  typing: Readonly<Record<string, ((text: string) => string) | undefined>>,
  values: Readonly<Record<string, string>>,
  set: (values: Record<string, string>) => void,
): FilterField[] {
  return Object.entries(list.filters).flatMap(([name, filter]): FilterField[] => {
    const mine = own[name]
    const drawn = filter.kind !== 'hidden' && filter.kind !== 'id'
    if (!mine && !drawn) return []
    const { usual = '' } = filter
    const value = values[name] ?? ''
    const choose = (chosen: string) => set({ [name]: chosen })
    const width = mine?.width ?? widthOf(filter)
    return [
      {
        id: name,
        label: mine?.label ?? translated(filter.label),
        width: mine && !mine.field ? 0 : width,
        changed: value !== usual,
        words: mine?.words ? mine.words(value) : wordsOf(filter, value, usual),
        clear: () => choose(usual),
        node: mine?.field ? (
          <div style={{ minWidth: width }}>{mine.field(value, choose)}</div>
        ) : drawn ? (
          <div className="md:w-(--width)" style={{ '--width': `${width}px` } as object}>
            <FilterControl filter={filter} value={value} format={typing[name]} set={choose} />
          </div>
        ) : null,
      },
    ]
  })
}

function wordsOf({ kind, labels, all = '' }: Filter, value: string, usual: string): string {
  if (value === '') return usual === '' ? '' : translated(all)
  if (kind === 'flag') return yesNo(value === '1')
  if (kind === 'choice') return translated(labels?.[value] ?? '')
  return value
}
