import { Trans, useLingui } from '@lingui/react/macro'
import { MessageSquareText, Paperclip } from 'lucide-react'
import { type KeyboardEvent, type Ref, useImperativeHandle, useRef, useState } from 'react'
import type * as z from 'zod/mini'
import {
  type CaseCalls,
  type CaseSubject,
  type CaseView,
  fillReply,
  type ReplyFills,
  replyForm,
  UNFILLED,
} from '../../shared/cases.ts'
import { call, CallError } from '../call.ts'
import { useResponse } from '../query.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { Checkbox, RadioCards } from '../ui/Choice.tsx'
import { cx } from '../ui/cx.ts'
import { Form } from '../ui/Form.tsx'
import { useZodForm, type ZodForm } from '../ui/form.ts'
import { Notice } from '../ui/Notice.tsx'
import { TextArea } from '../ui/TextField.tsx'
import { toast } from '../ui/Toasts.tsx'
import { AttachFiles, idsOf } from './AttachFiles.tsx'
import { ManageReplies } from './ManageReplies.tsx'
import { useNotePresence, usePresent } from './presence.ts'
import { PresenceMarks } from './PresenceMarks.tsx'
import { caseKey } from './read.ts'
import { type SavedReply, SavedReplyPicker } from './SavedReplyPicker.tsx'
import { Code, Text } from '../ui/Text.tsx'

/** Functions of a reply form that the record around it calls. */
export interface ReplyBox {
  /** Starts a reply or a note, and moves the focus to the text. */
  write: (kind: 'reply' | 'note') => void
  /** Opens the list of saved replies. */
  pick: () => void
}

interface ReplyFormProps extends CaseSubject {
  of: CaseCalls
  view: CaseView
  /** Label such as 'Complete the request with this reply'. Undefined if a reply cannot complete the case. */
  completeLabel?: string | undefined
  /** Reloads the case. @returns the number of its last message */
  refresh: () => Promise<number | undefined>
  /** Values of the placeholders of saved replies. */
  fills?: ReplyFills
  /** Opens the next case after sending. Undefined if the screen has no next case. */
  onNext?: (() => void) | undefined
  box?: Ref<ReplyBox>
  /** True if the form is docked below a record. It is then as low as possible. */
  docked?: boolean
}

/**
 * Form for a reply to the person, or a note for staff. If a message has arrived that the writer has not seen, the
 * portal does not send the reply. The form keeps the text.
 */
export function ReplyForm(props: ReplyFormProps) {
  const { of, companyId, view, completeLabel, onNext, docked = false } = props
  const { t } = useLingui()
  const { can, entries, hasEmail } = view
  const reply = useReply(props)
  const { form, isNote, text, stale, seen, read, picker, setPicker, savedReplies, insert, sendAs } = reply
  const [managing, setManaging] = useState(false)
  const [uploading, setUploading] = useState(false)
  const [filing, setFiling] = useState(false)
  const { onChange, ...message } = form.field('message')
  const files = form.watch('files') ?? []
  const isFiling = !docked || filing || files.length > 0
  return (
    <>
      <div role="status" className={cx('empty:hidden', docked ? 'mb-1' : 'mt-7')}>
        <PresenceMarks people={reply.others} />
      </div>
      <Form
        className={docked ? 'gap-2!' : 'mt-7 border-line border-t pt-5'}
        form={form}
        onSubmit={reply.submit}
        onKeyDownCapture={(event: KeyboardEvent<HTMLFormElement>) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || uploading) return
          event.preventDefault()
          sendAs({ complete: event.shiftKey && completeLabel !== undefined && !isNote, next: onNext !== undefined })
          event.currentTarget.requestSubmit()
        }}
      >
        <ReplyHead
          {...{ form, docked, hasEmail, picker, isNote, isFiling }}
          mayReply={can.reply}
          onPick={() => setPicker(!picker)}
          onFile={uploading || files.length > 0 ? undefined : () => setFiling(!filing)}
        />
        {picker && !isNote && (
          <SavedReplyPicker
            response={savedReplies}
            onPick={insert}
            onManage={() => (setPicker(false), setManaging(true))}
            onClose={() => (setPicker(false), form.setFocus('message'))}
          />
        )}
        <TextArea
          label={isNote ? t`Note` : t`Reply`}
          hint={!isNote && !hasEmail ? t`Nothing is emailed. Call the requester with the answer.` : undefined}
          rows={docked ? (text === '' ? 2 : 5) : 5}
          maxLength={4000}
          {...message}
          onChange={(event) => {
            void onChange(event)
            if (!isNote && startsPicker(event.target, text)) setPicker(true)
          }}
        />
        {isFiling && (
          <AttachFiles
            key={reply.round}
            of={of}
            field={form.choice('files')}
            {...(companyId !== undefined && { companyId })}
            onBusy={setUploading}
          />
        )}
        {!docked && !isNote && !picker && (
          <div>
            <Button size="small" icon={MessageSquareText} aria-keyshortcuts="/" onClick={() => setPicker(true)}>
              <Trans>Saved replies</Trans>
            </Button>
          </div>
        )}
        <div role="status" className="empty:hidden">
          {stale && !isNote && (
            <NewerMessages entries={entries.filter(({ id, isOwn }) => id > seen && !isOwn)} onRead={() => read()} />
          )}
        </div>
        {!isNote && completeLabel && !onNext && <Checkbox label={completeLabel} {...form.field('complete')} />}
        <SendButtons
          {...{ form, isNote, docked, uploading, sendAs }}
          hasNext={onNext !== undefined}
          completes={completeLabel !== undefined}
        />
      </Form>
      {managing && <ManageReplies of={of} initialText={text.trim()} onClose={() => setManaging(false)} />}
    </>
  )
}

/** True if the person typed a slash where a word starts. */
function startsPicker({ value, selectionStart }: HTMLTextAreaElement, before: string): boolean {
  const caret = selectionStart ?? value.length
  return value.length > before.length && /(?:^|\s)\/$/.test(value.slice(0, caret))
}

type TypedReply = z.input<typeof replyForm>
type SentReply = z.output<typeof replyForm>

interface ReplyHeadProps {
  form: ZodForm<TypedReply, SentReply>
  docked: boolean
  hasEmail: boolean
  mayReply: boolean
  isNote: boolean
  picker: boolean
  isFiling: boolean
  onPick: () => void
  /** Shows or hides the field for files. Undefined while the field must stay. */
  onFile: (() => void) | undefined
}

/** Message type. In a docked form, it shares its line with the buttons for saved replies and files. */
function ReplyHead({ form, docked, hasEmail, mayReply, isNote, picker, isFiling, onPick, onFile }: ReplyHeadProps) {
  const { t } = useLingui()
  const type = mayReply && <MessageType {...{ form, docked, hasEmail }} />
  if (!docked) return type
  return (
    <div className="flex items-center gap-1">
      {type}
      <span className="flex-1" />
      {!isNote && (
        <IconButton
          icon={MessageSquareText}
          label={t`Saved replies`}
          aria-keyshortcuts="/"
          aria-expanded={picker}
          onClick={onPick}
        />
      )}
      <IconButton
        icon={Paperclip}
        label={t`Add files`}
        aria-expanded={isFiling}
        disabled={onFile === undefined}
        onClick={onFile}
      />
    </div>
  )
}

interface SendButtonsProps {
  form: ZodForm<TypedReply, SentReply>
  isNote: boolean
  docked: boolean
  uploading: boolean
  hasNext: boolean
  completes: boolean
  sendAs: (how: { complete?: boolean; next?: boolean }) => void
}

/** Buttons that send the form. With a next case on the screen, the main button opens that case afterwards. */
function SendButtons({ form, isNote, docked, uploading, hasNext, completes, sendAs }: SendButtonsProps) {
  const busy = form.formState.isSubmitting
  const opensNext = hasNext && !isNote
  const size = docked && { size: 'small' as const }
  return (
    <div className="flex flex-wrap gap-2">
      {opensNext && (
        <Button
          type="submit"
          variant="primary"
          {...size}
          disabled={uploading || busy}
          onClick={() => sendAs({ next: true })}
        >
          <Trans>Send and open next</Trans>
        </Button>
      )}
      {opensNext && completes && (
        <Button
          type="submit"
          {...size}
          disabled={uploading || busy}
          onClick={() => sendAs({ complete: true, next: true })}
        >
          <Trans>Complete and open next</Trans>
        </Button>
      )}
      <Button
        type="submit"
        {...(!opensNext && { variant: 'primary' as const })}
        {...size}
        busy={busy}
        busyLabel={<Trans>Sending...</Trans>}
        disabled={uploading}
        onClick={() => sendAs({})}
      >
        {isNote ? <Trans>Save note</Trans> : <Trans>Send reply</Trans>}
      </Button>
    </div>
  )
}

/** Choice between a reply and a note. */
function MessageType(props: { form: ZodForm<TypedReply, SentReply>; docked: boolean; hasEmail: boolean }) {
  const { form, docked, hasEmail } = props
  const { t } = useLingui()
  const options = [
    {
      value: 'reply' as const,
      label: t`Reply`,
      note: hasEmail ? t`Sent by email` : t`No email address. Call the requester.`,
    },
    { value: 'note' as const, label: t`Internal note`, note: t`For staff only` },
  ]
  const choice = form.choice('kind')
  if (!docked) return <RadioCards label={t`Message type`} columns={2} options={options} {...choice} />
  return (
    <fieldset className="flex flex-wrap gap-x-5 text-table">
      <legend className="spoken">
        <Trans>Message type</Trans>
      </legend>
      {options.map(({ value, label }) => (
        <label key={value} className="flex min-h-7 items-center gap-2">
          <input
            type="radio"
            name={choice.name}
            value={value}
            checked={choice.value === value}
            onChange={() => choice.onChange(value)}
            className="size-4.5"
          />
          <Text>{label}</Text>
        </label>
      ))}
    </fieldset>
  )
}

/** State of the form: its draft, the messages that the writer has seen, the saved replies, and how it is sent. */
function useReply({ of, companyId, subjectId, view, refresh, fills = {}, onNext, box }: ReplyFormProps) {
  const { can, lastMessageId } = view
  const kind = can.reply ? ('reply' as const) : ('note' as const)
  const form = useZodForm(replyForm, {
    defaultValues: { kind, message: '', complete: false, files: [] },
    draft: { name: `${of.kind}:${subjectId}` },
  })
  const [picker, setPicker] = useState(false)
  const [round, setRound] = useState(0)
  const used = useRef<number>(undefined)
  const how = useRef<{ complete?: boolean; next?: boolean }>({})
  const isNote = form.watch('kind') === 'note' || !can.reply
  const text = form.watch('message')
  const { seen, stale, read } = useSeen(lastMessageId, text !== '')
  useNotePresence(of, { companyId, subjectId }, isNote ? '' : text)
  const others = usePresent(of).get(caseKey(subjectId, companyId))
  const savedReplies = useResponse(of.savedReplies, { subjectId, ...(companyId !== undefined && { companyId }) })
  const submit = async ({ message, complete, files: attached }: SentReply) => {
    const subject = { companyId, subjectId }
    const files = idsOf(attached)
    const { complete: completes = complete, next = false } = how.current
    try {
      const sent = isNote
        ? call(of.note, { ...subject, message, files })
        : call(of.reply, { ...subject, message, complete: completes, files, seen, savedReplyId: used.current })
      toast((await sent).message)
    } catch (problem) {
      // The newest message may not be on the screen yet, so its number comes from the reload.
      if (problem instanceof CallError && problem.code === 'newer_message') read(await refresh())
      throw problem
    }
    form.reset({ kind, message: '', complete: false, files: [] })
    used.current = undefined
    setRound((before) => before + 1)
    if (next) onNext?.()
    await refresh()
  }
  /** Adds a saved reply to the text, and marks the first placeholder without a value. */
  const insert = (saved: SavedReply) => {
    const typed = text.replace(/\/\s*$/, '').trimEnd()
    const filled = fillReply(saved.text, fills)
    used.current = saved.id
    form.setValue('message', typed === '' ? filled : `${typed}\n\n${filled}`, { shouldDirty: true })
    setPicker(false)
    form.setFocus('message')
    const area = document.activeElement
    const start = area instanceof HTMLTextAreaElement ? area.value.indexOf(UNFILLED) : -1
    if (area instanceof HTMLTextAreaElement && start >= 0) area.setSelectionRange(start, start + UNFILLED.length)
  }
  const choose = (next: 'reply' | 'note') => form.setValue('kind', next, { shouldDirty: true })
  useImperativeHandle(box, () => ({
    write: (next) => {
      if (can.reply) choose(next)
      form.setFocus('message')
    },
    pick: () => {
      if (!can.reply) return
      choose('reply')
      setPicker(true)
    },
  }))
  const sendAs = (next: { complete?: boolean; next?: boolean }) => void (how.current = next)
  return {
    form,
    isNote,
    text,
    seen,
    stale,
    read,
    picker,
    setPicker,
    round,
    savedReplies,
    submit,
    insert,
    sendAs,
    others,
  }
}

interface NewerMessagesProps {
  entries: CaseView['entries']
  onRead: () => void
}

/** Messages of others that arrived while the person was writing. */
const NewerMessages = ({ entries, onRead }: NewerMessagesProps) => (
  <Notice
    tone="warning"
    aside={
      <Button size="small" className="self-start" onClick={onRead}>
        <Trans>Mark as read</Trans>
      </Button>
    }
  >
    <Trans>Someone wrote a message after you started writing.</Trans>
    {entries.map(({ key, by, text }) => (
      <q key={key} className="mt-2 block whitespace-pre-wrap wrap-anywhere">
        <strong>
          <Code>{by}</Code>:
        </strong>{' '}
        <Text>{text}</Text>
      </q>
    ))}
  </Notice>
)

/**
 * Stores the number of the last message when the person starts to write. A newer message may already be on the page,
 * outside the visible area.
 */
function useSeen(last: number, writing: boolean) {
  const [began, setBegan] = useState<number | null>(null)
  if (writing && began === null) setBegan(last)
  if (!writing && began !== null) setBegan(null)
  return {
    seen: began ?? last,
    stale: began !== null && began !== last,
    read: (upTo?: number) => setBegan(upTo ?? null),
  }
}
