import { useEffect, useState } from 'react'
import type { TableState } from '../../../web/ui/office/table/table-state.ts'
import { TextField } from '../../../web/ui/TextField.tsx'

/** While somebody types, the server is left in peace this long. */
const TYPING_MS = 300

interface SearchFieldProps<Filter extends string> {
  state: TableState<Filter>
  name: Filter
  label: string
  format?: (text: string) => string
}

/** One field of a search; it asks when the typing pauses. */
export function Wanted<Filter extends string>({
  state,
  name,
  label,
  format = (text) => text,
}: SearchFieldProps<Filter>) {
  const asked = state.question.filters[name]
  const [text, setText] = useState(asked)
  const [known, setKnown] = useState(asked)
  // Somebody else changed it: the back button, a link.
  if (known !== asked) {
    setKnown(asked)
    setText(asked)
  }
  const { setFilters } = state
  useEffect(() => {
    if (text.trim() === known) return
    const timer = setTimeout(() => setFilters({ [name]: text.trim() } as Record<Filter, string>), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text, known, name, setFilters])
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
