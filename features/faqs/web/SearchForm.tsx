import { Trans } from '@lingui/react/macro'
import { Search } from 'lucide-react'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../../../web/ui/Button.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { Suggestions } from './Suggestions.tsx'

interface Props {
  label: ReactNode
  /** Text of the current search. */
  query: string
  /** True if the field gets the focus when it opens. */
  focused?: boolean
  onSearch: (text: string) => void
  className?: string
}

/** Search field that shows suggestions during typing. The results appear after the form is submitted. */
export function SearchForm({ label, query, focused = false, onSearch, className = '' }: Props) {
  const [text, setText] = useState(query)
  const [appliedText, setAppliedText] = useState(query)
  // A correction or the browser's back button changes the text. The field keeps the focus.
  if (appliedText !== query) {
    setAppliedText(query)
    setText(query)
  }
  const fieldRef = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!focused) return
    // Waits a frame, because the surrounding dialog first focuses its first button when it opens.
    const frame = requestAnimationFrame(() => fieldRef.current?.querySelector('input')?.focus())
    return () => cancelAnimationFrame(frame)
  }, [focused])
  const [isTyping, setTyping] = useState(false)
  const search = (searchText: string) => {
    setTyping(false)
    onSearch(searchText.trim())
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    search(text)
  }
  return (
    // Escape or leaving the form closes the suggestions. Both events bubble from its field and its list.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      role="search"
      // Works without JavaScript.
      data-plain
      action="/frequently-asked-questions#main"
      onSubmit={submit}
      onKeyDown={({ key }) => key === 'Escape' && setTyping(false)}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setTyping(false)
      }}
      className={`flex flex-wrap items-end gap-3 print:hidden ${className}`}
    >
      <div ref={fieldRef} className="relative min-w-60 grow">
        <TextField
          label={label}
          type="search"
          name="search"
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
      <Button variant="primary" type="submit" icon={Search}>
        <Trans>Search</Trans>
      </Button>
    </form>
  )
}
