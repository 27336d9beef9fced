import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { ResponseOf } from '../../shared/endpoint.ts'
import { type CaseCalls, savedReplyForm } from '../../shared/cases.ts'
import { call, messageOf } from '../call.ts'
import { reload, useResponse } from '../query.ts'
import { ResponseView } from '../ui/ResponseView.tsx'
import { Button } from '../ui/Button.tsx'
import { CloseAction, Dialog } from '../ui/Dialog.tsx'
import { Form } from '../ui/Form.tsx'
import { useZodForm } from '../ui/form.ts'
import { TextArea, TextField } from '../ui/TextField.tsx'
import { toast } from '../ui/Toasts.tsx'

type SavedReply = ResponseOf<CaseCalls['savedReplies']>['savedReplies'][number]

interface ManageRepliesProps {
  of: CaseCalls
  /** Text in the reply form. A new saved reply starts with this text. */
  initialText: string
  onClose: () => void
}

/** Dialog to add, change and remove saved replies, which all staff share. */
export function ManageReplies({ of, initialText, onClose }: ManageRepliesProps) {
  const { t } = useLingui()
  const response = useResponse(of.savedReplies, {})
  const [edited, setEdited] = useState<SavedReply | 'new' | null>(null)
  const remove = async ({ id }: SavedReply) => {
    try {
      toast((await call(of.removeReply, { savedReplyId: id })).message)
    } catch (problem) {
      toast(messageOf(problem))
    }
    await reload(of.savedReplies)
  }
  return (
    <Dialog title={t`Saved replies`} onClose={onClose} actions={<CloseAction onClose={onClose} />}>
      {edited === null && (
        <ResponseView
          response={response}
          shape="lines"
          loading={<Trans>Loading the saved replies</Trans>}
          failed={<Trans>Could not load the saved replies</Trans>}
        >
          {({ savedReplies }) => (
            <List savedReplies={savedReplies} onEdit={setEdited} onRemove={(saved) => void remove(saved)} />
          )}
        </ResponseView>
      )}
      {edited !== null && (
        <EditReply
          key={edited === 'new' ? 'new' : edited.id}
          of={of}
          // Uses the loaded version, because another person may have changed the reply since the dialog opened.
          stored={edited === 'new' ? null : (response.data?.savedReplies.find(({ id }) => id === edited.id) ?? edited)}
          initialText={initialText}
          onDone={() => setEdited(null)}
        />
      )}
    </Dialog>
  )
}

interface ListProps {
  savedReplies: readonly SavedReply[]
  onEdit: (reply: SavedReply | 'new') => void
  onRemove: (reply: SavedReply) => void
}

function List({ savedReplies, onEdit, onRemove }: ListProps) {
  const { t } = useLingui()
  return (
    <>
      {savedReplies.length === 0 && (
        <p className="text-muted">
          <Trans>No saved replies yet. Save a reply that you use often.</Trans>
        </p>
      )}
      <ul className="flex flex-col">
        {savedReplies.map((reply) => (
          <li key={reply.id} className="flex flex-wrap items-center gap-2 border-line border-b py-2">
            <span className="min-w-0 flex-1 basis-48">
              <strong className="wrap-anywhere">{reply.title}</strong>
              <span className="line-clamp-2 text-muted text-sm wrap-anywhere">{reply.text}</span>
            </span>
            <span className="flex gap-2">
              <Button size="small" aria-label={t`Edit ${reply.title}`} onClick={() => onEdit(reply)}>
                <Trans>Edit</Trans>
              </Button>
              <Button size="small" aria-label={t`Remove ${reply.title}`} onClick={() => onRemove(reply)}>
                <Trans>Remove</Trans>
              </Button>
            </span>
          </li>
        ))}
      </ul>
      <Button className="mt-4" variant="primary" onClick={() => onEdit('new')}>
        <Trans>New reply</Trans>
      </Button>
    </>
  )
}

interface EditReplyProps {
  of: CaseCalls
  stored: SavedReply | null
  initialText: string
  onDone: () => void
}

function EditReply({ of, stored, initialText, onDone }: EditReplyProps) {
  const { t } = useLingui()
  const basis = stored ? { title: stored.title, text: stored.text } : undefined
  const form = useZodForm(savedReplyForm, {
    defaultValues: basis ?? { title: '', text: initialText },
    draft: { name: `${of.kind}-saved-reply:${stored?.id ?? 'new'}` },
    ...(basis && { basis }),
  })
  return (
    <Form
      form={form}
      onSubmit={async (values) => {
        const made = { ...values, savedReplyId: stored?.id ?? null, ...(form.basis && { basis: form.basis }) }
        toast((await call(of.saveReply, made)).message)
        await reload(of.savedReplies)
        onDone()
      }}
    >
      <TextField
        label={t`Name`}
        hint={t`Staff choose the reply by this name. The requester cannot see the name.`}
        maxLength={80}
        {...form.field('title')}
      />
      <TextArea label={t`Answer`} rows={6} maxLength={4000} {...form.field('text')} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" busy={form.formState.isSubmitting}>
          <Trans>Save reply</Trans>
        </Button>
        <Button onClick={onDone} disabled={form.formState.isSubmitting}>
          <Trans>Go back</Trans>
        </Button>
      </div>
    </Form>
  )
}
