import { useLingui } from '@lingui/react/macro'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { useResponse } from '../../../web/query.ts'
import { Link } from '../../../web/ui/Link.tsx'
import { searchFaqs } from '../contract.ts'

/** Pause after which typing counts as finished, in milliseconds. */
const PAUSE_MS = 250
const MIN_LENGTH = 3
const MAX_SUGGESTIONS = 3

interface SuggestionsProps {
  text: string
  onChoose: (question: string) => void
}

/** Pages and questions that match the typed text. They overlay the page, so the layout does not shift. */
export function Suggestions({ text, onChoose }: SuggestionsProps) {
  const { t } = useLingui()
  const [paused, setPaused] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  const enabled = paused.length >= MIN_LENGTH
  const { data } = useResponse(searchFaqs, { text: paused, isTyping: true }, { enabled, keepPrevious: true })
  if (!enabled || !data || data.matches.length + data.others.length === 0) return null
  const walk = (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const items = [...(event.currentTarget.closest('ul')?.querySelectorAll<HTMLElement>('a, button') ?? [])]
    items.at((items.indexOf(event.currentTarget) + step) % items.length)?.focus()
  }
  const item = 'focus-inside block w-full px-3 py-2 text-start wrap-anywhere hover:bg-tint'
  return (
    <ul
      aria-label={t`Suggestions`}
      className="absolute inset-x-0 top-full z-20 mt-1 max-h-80 overflow-y-auto rounded-sm border border-line bg-surface shadow-overlay"
    >
      {data.others.slice(0, MAX_SUGGESTIONS).map(({ title, path }) => (
        <li key={path} className="border-line border-b">
          <Link to={path} onKeyDown={walk} className={`${item} text-link underline`}>
            {title}
          </Link>
        </li>
      ))}
      {data.matches.slice(0, MAX_SUGGESTIONS).map(({ id, question }) => (
        <li key={id} className="border-line border-b last:border-b-0">
          <button type="button" className={item} onKeyDown={walk} onClick={() => onChoose(question)}>
            {question}
          </button>
        </li>
      ))}
    </ul>
  )
}
