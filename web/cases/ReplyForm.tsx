import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type * as z from 'zod/mini'
import { replyForm, type CaseCalls, type CaseSubject, type CaseView } from '../../shared/cases.ts'
import { call, CallError } from '../call.ts'
import { Button } from '../ui/Button.tsx'
import { SendButton } from '../ui/SendButton.tsx'
import { Checkbox, RadioCards } from '../ui/Choice.tsx'
import { Form } from '../ui/Form.tsx'
import { useZodForm } from '../ui/form.ts'
import { Notice } from '../ui/Notice.tsx'
import { TextArea } from '../ui/TextField.tsx'
import { toast } from '../ui/Toasts.tsx'
import { AttachFiles, idsOf } from './AttachFiles.tsx'
import { SavedReplies } from './SavedReplies.tsx'
import { ManageReplies } from './ManageReplies.tsx'
import { Code, Text } from '../ui/Text.tsx'

interface ReplyFormProps extends CaseSubject {
  of: CaseCalls
  view: CaseView
  /** Label such as 'Complete the request with this reply'. Undefined if a reply cannot complete the case. */
  completeLabel?: string | undefined
  /** Reloads the case. @returns the number of its last message */
  refresh: () => Promise<number | undefined>
}

/**
 * Form for a reply to the person, or a note for staff. If a message has arrived that the writer has not seen, the
 * portal does not send the reply. The form keeps the text.
 */
export function ReplyForm({ of, companyId, subjectId, view, completeLabel, refresh }: ReplyFormProps) {
  const { t } = useLingui()
  const { can, lastMessageId, entries, hasEmail } = view
  const kind = can.reply ? ('reply' as const) : ('note' as const)
  const form = useZodForm(replyForm, {
    defaultValues: { kind, message: '', complete: false, files: [] },
    draft: { name: `${of.kind}:${subjectId}` },
  })
  const [managing, setManaging] = useState(false)
  const isNote = form.watch('kind') === 'note' || !can.reply
  const text = form.watch('message')
  const { seen, stale, read } = useSeen(lastMessageId, text !== '')
  const [uploading, setUploading] = useState(false)
  const [round, setRound] = useState(0)
  const submit = async ({ message, complete, files: attached }: z.output<typeof replyForm>) => {
    const subject = { companyId, subjectId }
    const files = idsOf(attached)
    try {
      const sent = isNote
        ? call(of.note, { ...subject, message, files })
        : call(of.reply, { ...subject, message, complete, files, seen })
      toast((await sent).message)
    } catch (problem) {
      // The newest message may not be on the screen yet, so its number comes from the reload.
      if (problem instanceof CallError && problem.code === 'newer_message') read(await refresh())
      throw problem
    }
    form.reset({ kind, message: '', complete: false, files: [] })
    setRound((before) => before + 1)
    await refresh()
  }
  const insert = (savedText: string) =>
    form.setValue('message', text.trim() === '' ? savedText : `${text.trimEnd()}\n\n${savedText}`, {
      shouldDirty: true,
    })
  return (
    <>
      <Form className="mt-7 border-line border-t pt-5" form={form} onSubmit={submit}>
        {can.reply && (
          <RadioCards
            label={t`Message type`}
            columns={2}
            options={[
              {
                value: 'reply',
                label: t`Reply`,
                note: hasEmail ? t`Sent by email` : t`No email address. Call the requester.`,
              },
              { value: 'note', label: t`Internal note`, note: t`For staff only` },
            ]}
            {...form.choice('kind')}
          />
        )}
        <TextArea
          label={isNote ? t`Note` : t`Reply`}
          hint={!isNote && !hasEmail ? t`Enter your answer from the phone call.` : undefined}
          rows={5}
          maxLength={4000}
          {...form.field('message')}
        />
        <AttachFiles
          key={round}
          of={of}
          field={form.choice('files')}
          {...(companyId !== undefined && { companyId })}
          onBusy={setUploading}
        />
        {!isNote && <SavedReplies of={of} onInsert={insert} onManage={() => setManaging(true)} />}
        <div role="status" className="empty:hidden">
          {stale && !isNote && (
            <NewerMessages entries={entries.filter(({ id, isOwn }) => id > seen && !isOwn)} onRead={() => read()} />
          )}
        </div>
        {!isNote && completeLabel && <Checkbox label={completeLabel} {...form.field('complete')} />}
        <SendButton form={form} waits={uploading}>
          {isNote ? <Trans>Save note</Trans> : <Trans>Send reply</Trans>}
        </SendButton>
      </Form>
      {managing && <ManageReplies of={of} initialText={text.trim()} onClose={() => setManaging(false)} />}
    </>
  )
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
