import { useLingui } from '@lingui/react/macro'
import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react'
import { type ClipboardEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { Button, IconButton } from './Button.tsx'
import { controlClasses, FieldError, FieldGroup } from './Field.tsx'
import type { Bound } from './form.ts'
import { Text } from './Text.tsx'

/**
 * Binds a text that stores several entries to `TextRows`.
 * @param split separators in stored texts. `join` is the separator that the field writes
 */
export const rowsOfText = (
  { value, onChange, ...bound }: Bound<string>,
  { split, join }: { split: string | RegExp; join: string } = { split: '\n', join: '\n' },
): Bound<string[]> => ({
  ...bound,
  value: value.split(split).filter((text) => !isBlank(text)),
  onChange: (rows) => onChange(rows.join(join)),
})

const isBlank = (text: string) => text.trim() === ''

interface TextRowsProps extends Bound<string[]> {
  label: string
  hint?: string
  optional?: boolean
  /** Label of the button that adds a row: 'Add a group'. */
  addLabel: string
  max: number
  /** Returns the error of a row. */
  errorAt?: (at: number) => string | undefined
  /** True if the order matters, so that rows can be moved. */
  sortable?: boolean
  readOnly?: boolean
  inputMode?: 'email' | 'text'
  /** Usual entries, which the browser offers while a person types. */
  suggestions?: readonly string[]
}

/** True if both lists have the same entries. The form may have trimmed its own. */
const same = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((text, at) => text.trim() === other[at]?.trim())

/**
 * Field for a list of short texts, one input for each. Enter adds a row, and a pasted list fills several rows. Blank
 * rows are not part of the value.
 */
export function TextRows(props: TextRowsProps) {
  const { label, hint, optional, name, value, onChange, error, addLabel, max, errorAt, readOnly } = props
  const { t } = useLingui()
  const id = useId()
  const container = useRef<HTMLUListElement>(null)
  const [rows, setRows] = useState<readonly string[]>(value.length > 0 ? value : [''])
  const [focus, setFocus] = useState<number | null>(null)
  const filled = rows.filter((text) => !isBlank(text))
  // The form changed the value, for example after a colleague's save.
  if (
    !same(
      filled,
      value.filter((text) => !isBlank(text)),
    )
  )
    setRows(value.length > 0 ? value : [''])

  useEffect(() => {
    if (focus === null) return
    container.current?.querySelectorAll('input')[focus]?.focus()
    setFocus(null)
  }, [focus])

  const change = (next: readonly string[], focused: number | null = null) => {
    setRows(next.length > 0 ? next : [''])
    onChange(next.filter((text) => !isBlank(text)))
    setFocus(focused)
  }
  const insertAfter = (at: number) => {
    if (rows.length < max) change(rows.toSpliced(at + 1, 0, ''), at + 1)
  }
  const remove = (at: number) => change(rows.toSpliced(at, 1), Math.max(0, at - 1))
  const move = (from: number, to: number) => {
    const [row = ''] = rows.slice(from, from + 1)
    change(rows.toSpliced(from, 1).toSpliced(to, 0, row), to)
  }
  const press = (event: KeyboardEvent<HTMLInputElement>, at: number) => {
    if (event.key === 'Enter') {
      event.preventDefault()
      insertAfter(at)
    } else if (event.key === 'Backspace' && rows[at] === '' && rows.length > 1) {
      event.preventDefault()
      remove(at)
    }
  }
  const paste = (event: ClipboardEvent<HTMLInputElement>, at: number) => {
    const lines = event.clipboardData
      .getData('text')
      .split(/\r?\n/)
      .filter((text) => !isBlank(text))
    if (lines.length < 2) return
    event.preventDefault()
    change(rows.toSpliced(at, isBlank(rows[at] ?? '') ? 1 : 0, ...lines).slice(0, max), at + lines.length - 1)
  }
  const indexOf = (at: number) => rows.slice(0, at).filter((text) => !isBlank(text)).length
  const errorOf = (at: number, text: string) => (isBlank(text) ? undefined : errorAt?.(indexOf(at)))

  return (
    <FieldGroup id={id} name={name} label={label} hint={hint} error={error} {...(optional && { optional })}>
      <ul ref={container} className="mt-1 flex flex-col gap-2">
        {rows.map((text, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- each input shows the text at its position
          <li key={at} className="flex flex-col gap-1">
            <Row {...{ id: `${id}-${at}`, at, text }} of={props} count={rows.length} error={errorOf(at, text)}>
              {{
                change: (typed) => change(rows.with(at, typed)),
                press: (event) => press(event, at),
                paste: (event) => paste(event, at),
                move: (to) => move(at, to),
                remove: () => remove(at),
              }}
            </Row>
          </li>
        ))}
      </ul>
      {!readOnly && (
        <Button
          size="small"
          icon={Plus}
          className="mt-2"
          disabled={rows.length >= max}
          onClick={() => insertAfter(rows.length - 1)}
        >
          <Text>{addLabel}</Text>
        </Button>
      )}
      {rows.length >= max && <p className="mt-1 text-muted text-sm">{t`This list can have up to ${max} entries.`}</p>}
    </FieldGroup>
  )
}

interface RowProps {
  id: string
  at: number
  text: string
  count: number
  error: string | undefined
  of: TextRowsProps
  children: {
    change: (text: string) => void
    press: (event: KeyboardEvent<HTMLInputElement>) => void
    paste: (event: ClipboardEvent<HTMLInputElement>) => void
    move: (to: number) => void
    remove: () => void
  }
}
function Row({ id, at, text, count, error, of, children: actions }: RowProps) {
  const { t } = useLingui()
  const entry = text.trim() || t`entry ${at + 1}`
  return (
    <>
      <div className="flex items-center gap-1">
        <input
          type="text"
          id={id}
          aria-label={`${of.label} ${at + 1}`}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          inputMode={of.inputMode}
          list={of.suggestions && `${id}-list`}
          autoComplete="off"
          readOnly={of.readOnly}
          value={text}
          onChange={({ target }) => actions.change(target.value)}
          onKeyDown={actions.press}
          onPaste={actions.paste}
          className={controlClasses(error)}
        />
        {of.suggestions && (
          <datalist id={`${id}-list`}>
            {of.suggestions.map((one) => (
              <option key={one} value={one} />
            ))}
          </datalist>
        )}
        {of.sortable && !of.readOnly && (
          <>
            <IconButton
              icon={ArrowUp}
              label={t`Move ${entry} up`}
              disabled={at === 0}
              onClick={() => actions.move(at - 1)}
            />
            <IconButton
              icon={ArrowDown}
              label={t`Move ${entry} down`}
              disabled={at === count - 1}
              onClick={() => actions.move(at + 1)}
            />
          </>
        )}
        {!of.readOnly && (
          <IconButton
            icon={X}
            label={t`Remove ${entry}`}
            disabled={count === 1 && text === ''}
            onClick={actions.remove}
          />
        )}
      </div>
      <FieldError id={id}>{error}</FieldError>
    </>
  )
}
