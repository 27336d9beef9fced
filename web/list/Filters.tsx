import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
import type { Filter, List } from '../../shared/list.ts'
import { translated } from '../../shared/messages.ts'
import { Checkbox, Select } from '../ui/Choice.tsx'
import type { FilterField } from '../ui/office/table/fields.ts'
import { TextField } from '../ui/TextField.tsx'
import { yesNo } from './columns.tsx'
import { usualDays } from './DaysFilter.tsx'

/** Filter with a custom input, such as a choice of records. Without an input, only links set the filter. */
export interface OwnFilter {
  label?: string
  /** Renders the input of the filter. Without `field`, only links set the filter. */
  field?: (value: string, set: (value: string) => void) => ReactNode
  /** Returns the text for the filter's chip and for prints. `''` if the filter is not set. */
  labelFor?: (value: string) => string
  width?: number
}

/** Returns the default value of each filter. */
export const usualFilters = (list: List): Record<string, string> => ({
  ...usualDays(list),
  ...Object.fromEntries(Object.entries(list.filters).map(([name, { usual = '' }]) => [name, usual])),
})

const CHAR_WIDTH = 7.5
const AROUND = 56

/** Estimates the width of a filter in pixels. The longest option determines the width of a choice, within limits. */
const widthOf = ({ kind, labels = {}, all = '', label }: Filter): number => {
  const maxLength = Math.max(all.length, label.length, ...Object.values(labels).map((text) => text.length))
  return kind === 'choice' ? Math.min(220, Math.max(128, maxLength * CHAR_WIDTH + AROUND)) : 176
}

interface FieldProps {
  filter: Filter
  value: string
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

/** Delay after the last keystroke before a request, in milliseconds. */
const TYPING_MS = 300

function TypedFilter({ filter, value, format = (typed) => typed, set }: FieldProps) {
  const [text, setText] = useState(value)
  const [applied, setApplied] = useState(value)
  // The value was changed by the filter's chip or the Back button.
  if (applied !== value) {
    setApplied(value)
    setText(value)
  }
  useEffect(() => {
    if (text.trim() === value) return
    const timer = setTimeout(() => set(text.trim()), TYPING_MS)
    return () => clearTimeout(timer)
    // `set` changes with each URL, so it is not a dependency.
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

/** Returns the filters of the list and of the screen. Each has a text for its value and a function that clears it. */
export function fieldsOf(
  list: List,
  own: Readonly<Record<string, OwnFilter | undefined>>,
  typing: Readonly<Record<string, ((text: string) => string) | undefined>>,
  values: Readonly<Record<string, string>>,
  set: (values: Record<string, string>) => void,
): FilterField[] {
  return Object.entries(list.filters).flatMap(([name, filter]): FilterField[] => {
    const ownFilter = own[name]
    const isVisible = filter.kind !== 'hidden' && filter.kind !== 'id'
    if (!ownFilter && !isVisible) return []
    const { usual = '' } = filter
    const value = values[name] ?? ''
    const choose = (chosen: string) => set({ [name]: chosen })
    const width = ownFilter?.width ?? widthOf(filter)
    return [
      {
        id: name,
        label: ownFilter?.label ?? translated(filter.label),
        width: ownFilter && !ownFilter.field ? 0 : width,
        changed: value !== usual,
        valueText: ownFilter?.labelFor ? ownFilter.labelFor(value) : labelOf(filter, value, usual),
        clear: () => choose(usual),
        node: ownFilter?.field ? (
          <div style={{ minWidth: width }}>{ownFilter.field(value, choose)}</div>
        ) : isVisible ? (
          <div className="md:w-(--width)" style={{ '--width': `${width}px` } as object}>
            <FilterControl filter={filter} value={value} format={typing[name]} set={choose} />
          </div>
        ) : null,
      },
    ]
  })
}

function labelOf({ kind, labels, all = '' }: Filter, value: string, usual: string): string {
  if (value === '') return usual === '' ? '' : translated(all)
  if (kind === 'flag') return yesNo(value === '1')
  if (kind === 'choice') return translated(labels?.[value] ?? '')
  return value
}
