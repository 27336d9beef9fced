import { Trans } from '@lingui/react/macro'
import { Search } from 'lucide-react'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../../../web/ui/Button.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { Suggestions } from './Suggestions.tsx'

interface Props {
  label: ReactNode
  /** What was looked for. */
  asked: string
  /** Whoever opened it wants to type. */
  focused?: boolean
  onSearch: (text: string) => void
  className?: string
}

/** The field in which people ask, with suggestions while they type. The results come when they are done. */
export function SearchForm({ label, asked, focused = false, onSearch, className = '' }: Props) {
  const [text, setText] = useState(asked)
  const [shown, setShown] = useState(asked)
  // What was probably meant, or what the browser's way back leads to, stands in the field, which keeps the focus.
  if (shown !== asked) {
    setShown(asked)
    setText(asked)
  }
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!focused) return
    // The dialog around it gives the focus to its first button when it opens.
    const frame = requestAnimationFrame(() => place.current?.querySelector('input')?.focus())
    return () => cancelAnimationFrame(frame)
  }, [focused])
  const [isTyping, setTyping] = useState(false)
  const search = (wanted: string) => {
    setTyping(false)
    onSearch(wanted.trim())
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    search(text)
  }
  return (
    // Escape, or leaving the form, closes the suggestions. Both bubble from its field and its list.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      role="search"
      onSubmit={submit}
      onKeyDown={({ key }) => key === 'Escape' && setTyping(false)}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setTyping(false)
      }}
      className={`flex flex-wrap items-end gap-3 print:hidden ${className}`}
    >
      <div ref={place} className="relative min-w-60 grow">
        <TextField
          label={label}
          type="search"
          autoComplete="off"
          maxLength={200}
          value={text}
          onChange={({ target }) => {
            setText(target.value)
            setTyping(true)
          }}
        />
        {isTyping && <Suggestions text={text} onChoose={search} />}
      </div>
      <Button look="primary" type="submit" icon={Search}>
        <Trans>Search</Trans>
      </Button>
    </form>
  )
}
