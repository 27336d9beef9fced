import { Trans, useLingui } from '@lingui/react/macro'
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import type { CaseCalls } from '../../shared/cases.ts'
import type { ResponseOf } from '../../shared/endpoint.ts'
import { messageOf } from '../call.ts'
import type { useResponse } from '../query.ts'
import { Button } from '../ui/Button.tsx'
import { cx } from '../ui/cx.ts'
import { controlClasses } from '../ui/Field.tsx'
import { NothingToPick } from '../ui/Picker.tsx'

export type SavedReply = ResponseOf<CaseCalls['savedReplies']>['savedReplies'][number]

interface PickerProps {
  response: ReturnType<typeof useResponse<CaseCalls['savedReplies']>>
  onPick: (reply: SavedReply) => void
  onManage: () => void
  onClose: () => void
}

/** List of saved replies above the reply. Typing filters the list, and Enter inserts the marked reply. */
export function SavedReplyPicker({ response: { data, error }, onPick, onManage, onClose }: PickerProps) {
  const { t } = useLingui()
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [search, setSearch] = useState('')
  const [marked, setMarked] = useState(0)
  /** True if the person pressed Enter before the replies were loaded. */
  const [isEager, setEager] = useState(false)
  const terms = search.toLowerCase().split(/\s+/).filter(Boolean)
  const replies = (data?.savedReplies ?? []).filter(({ title, text }) =>
    terms.every((term) => `${title} ${text}`.toLowerCase().includes(term)),
  )
  const current = Math.min(marked, replies.length - 1)
  useEffect(() => {
    // In some browsers, `scrollIntoView` returns a promise. An effect must not return one.
    list.current?.children[current]?.scrollIntoView({ block: 'nearest' })
  }, [current])
  const pickFirst = useEffectEvent(() => {
    setEager(false)
    const [first] = replies
    if (first) onPick(first)
  })
  useEffect(() => {
    if (isEager && data) pickFirst()
  }, [isEager, data])
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setMarked((current + step + replies.length) % Math.max(replies.length, 1))
    else if (event.key === 'Escape') onClose()
    else if (event.key === 'Enter') {
      const reply = replies[current]
      if (reply) onPick(reply)
      else setEager(!data)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className="flex flex-col gap-2 rounded-sm border border-edge bg-surface p-2">
      <input
        role="combobox"
        aria-label={t`Find a saved reply`}
        aria-expanded
        aria-controls={id}
        aria-activedescendant={replies.length > 0 ? `${id}-${current}` : undefined}
        autoComplete="off"
        // The person opened the list to type here.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        placeholder={t`Find a saved reply`}
        className={controlClasses()}
        value={search}
        onChange={({ target }) => (setSearch(target.value), setMarked(0))}
        onKeyDown={onKeyDown}
      />
      <div ref={list} id={id} role="listbox" aria-label={t`Saved replies`} className="max-h-48 overflow-y-auto">
        {replies.map((reply, index) => (
          // The keyboard works in the search field, which names the marked option.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
          <div
            key={reply.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === current}
            tabIndex={-1}
            className={cx(
              'cursor-pointer border-s-4 px-2 py-1.5',
              index === current ? 'border-link bg-tint-2' : 'border-transparent hover:bg-tint',
            )}
            onClick={() => onPick(reply)}
          >
            <strong className="block text-table wrap-anywhere">{reply.title}</strong>
            <span className="line-clamp-1 text-muted text-sm wrap-anywhere">{reply.text}</span>
          </div>
        ))}
      </div>
      {replies.length === 0 && (
        <NothingToPick>
          {error ? (
            messageOf(error)
          ) : !data ? (
            <Trans>Loading the saved replies</Trans>
          ) : data.savedReplies.length === 0 ? (
            <Trans>No saved replies yet. Save a reply that you use often.</Trans>
          ) : (
            <Trans>No matches</Trans>
          )}
        </NothingToPick>
      )}
      <div className="flex flex-wrap gap-2">
        <Button size="small" onClick={onManage}>
          <Trans>Manage replies</Trans>
        </Button>
        <Button size="small" onClick={onClose}>
          <Trans>Close the list</Trans>
        </Button>
      </div>
    </div>
  )
}
