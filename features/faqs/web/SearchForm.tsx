import { Trans } from '@lingui/react/macro'
import { Search } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Button } from '../../../web/ui/Button.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'

interface Props {
  label: ReactNode
  /** What was looked for. */
  asked: string
  focused?: boolean
  onSearch: (text: string) => void
  className?: string
}

/** The field in which people ask. It is looked for what they asked once they are done, not with each letter. */
export function SearchForm({ label, asked, focused, onSearch, className = '' }: Props) {
  const [text, setText] = useState(asked)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSearch(text.trim())
  }
  return (
    <form role="search" onSubmit={submit} className={`flex flex-wrap items-end gap-3 print:hidden ${className}`}>
      <div className="min-w-60 grow">
        <TextField
          label={label}
          type="search"
          autoComplete="off"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- whoever opened the search wants to type
          autoFocus={focused}
          maxLength={200}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </div>
      <Button look="primary" type="submit" icon={Search}>
        <Trans>Search</Trans>
      </Button>
    </form>
  )
}
