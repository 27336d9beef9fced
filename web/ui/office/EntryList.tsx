import { Trans, useLingui } from '@lingui/react/macro'
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type FieldValues, useFieldArray } from 'react-hook-form'
import { Button, IconButton } from '../Button.tsx'
import { FieldError } from '../Field.tsx'
import type { ZodForm } from '../form.ts'

interface EntryListProps<In extends FieldValues, Out> {
  form: ZodForm<In, Out>
  /** Name of the form field that contains the list. */
  name: string
  /** Initial values of a new entry. */
  blank: Readonly<Record<string, unknown>>
  max: number
  addLabel: ReactNode
  emptyLabel: ReactNode
  /** Name of an entry in buttons and announcements. */
  entryName: (at: number) => string
  /** True if the order matters, so that entries can be moved. */
  sortable?: boolean
  /** Renders the fields of an entry. `path` is, for example, 'contacts.0'. */
  children: (path: string, at: number) => ReactNode
}

/** Editable list with buttons to add, remove and, if sortable, move entries. */
export function EntryList<In extends FieldValues, Out>(props: EntryListProps<In, Out>) {
  const { name, blank, max, addLabel, emptyLabel, entryName, sortable, children } = props
  // Cast, because TypeScript cannot resolve the paths of a generic form.
  const form = props.form as unknown as ZodForm<FieldValues, unknown>
  const { t } = useLingui()
  const { fields, append, remove, move } = useFieldArray({ control: form.control, name })
  const listRef = useRef<HTMLUListElement>(null)
  const [announcement, setAnnouncement] = useState('')
  const next = useRef<string | null>(null)
  const error = form.field(name).error

  // Moving or adding an entry renders the list again, so the focus must return to the entry.
  useEffect(() => {
    if (next.current === null) return
    const target = listRef.current?.querySelector<HTMLElement>(next.current)
    const usable = target?.matches(':disabled')
      ? target.parentElement?.querySelector<HTMLElement>('button:not(:disabled)')
      : target
    usable?.focus()
    next.current = null
  }, [fields])

  const moveTo = (from: number, to: number, direction: 'up' | 'down') => {
    const entry = entryName(from)
    next.current = `[data-entry="${to}"] [data-move="${direction}"]`
    move(from, to)
    setAnnouncement(t`${entry} is now number ${to + 1} of ${fields.length}.`)
  }
  return (
    <div className="flex flex-col gap-3">
      {fields.length === 0 && <p className="text-muted">{emptyLabel}</p>}
      <ul ref={listRef} className="flex flex-col gap-3">
        {fields.map((field, at) => {
          const entry = entryName(at)
          return (
            <li key={field.id} data-entry={at} className="rounded-sm border border-line p-4">
              <div className="flex items-start gap-3">
                <div className="flex min-w-0 flex-1 flex-col gap-4">{children(`${name}.${at}`, at)}</div>
                <div className="flex shrink-0 flex-col">
                  {sortable && (
                    <>
                      <IconButton
                        icon={ArrowUp}
                        label={t`Move ${entry} up`}
                        data-move="up"
                        disabled={at === 0}
                        onClick={() => moveTo(at, at - 1, 'up')}
                      />
                      <IconButton
                        icon={ArrowDown}
                        label={t`Move ${entry} down`}
                        data-move="down"
                        disabled={at === fields.length - 1}
                        onClick={() => moveTo(at, at + 1, 'down')}
                      />
                    </>
                  )}
                  <IconButton
                    icon={Trash2}
                    label={t`Remove ${entry}`}
                    onClick={() => {
                      next.current = `[data-entry="${Math.max(0, at - 1)}"] button`
                      remove(at)
                      setAnnouncement(t`${entry} was removed.`)
                    }}
                  />
                </div>
              </div>
            </li>
          )
        })}
      </ul>
      <p role="status" className="spoken">
        {announcement}
      </p>
      <FieldError id={name}>{error}</FieldError>
      {fields.length < max && (
        <div>
          <Button
            icon={Plus}
            onClick={() => {
              next.current = `[data-entry="${fields.length}"] input, [data-entry="${fields.length}"] select`
              append({ ...blank }, { shouldFocus: false })
            }}
          >
            {addLabel}
          </Button>
        </div>
      )}
      {fields.length >= max && (
        <p className="text-muted text-sm">
          <Trans>This list has the maximum number of entries. To add an entry, first remove another one.</Trans>
        </p>
      )}
    </div>
  )
}
