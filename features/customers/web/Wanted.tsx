import { useEffect, useState } from 'react'
import type { TableState } from '../../../web/ui/office/table/table-state.ts'
import { TextField } from '../../../web/ui/TextField.tsx'

/** Pause in typing before the server is queried. */
const TYPING_MS = 300

interface SearchFieldProps<Filter extends string> {
  state: TableState<Filter>
  name: Filter
  label: string
  format?: (text: string) => string
}

/** One search field. It queries the server when the typing pauses. */
export function Wanted<Filter extends string>({
  state,
  name,
  label,
  format = (text) => text,
}: SearchFieldProps<Filter>) {
  const filterText = state.question.filters[name]
  const [text, setText] = useState(filterText)
  const [appliedText, setAppliedText] = useState(filterText)
  // The URL changed without typing, for example through the back button or a link.
  if (appliedText !== filterText) {
    setAppliedText(filterText)
    setText(filterText)
  }
  const { setFilters } = state
  useEffect(() => {
    if (text.trim() === appliedText) return
    const timer = setTimeout(() => setFilters({ [name]: text.trim() } as Record<Filter, string>), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text, appliedText, name, setFilters])
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
