import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { ResponseOf } from '../../shared/endpoint.ts'
import { type CaseCalls, cannedForm } from '../../shared/cases.ts'
import { call, messageOf } from '../call.ts'
import { reload, useResponse } from '../query.ts'
import { Answered } from '../ui/Answered.tsx'
import { Button } from '../ui/Button.tsx'
import { CloseAction, Dialog } from '../ui/Dialog.tsx'
import { Form } from '../ui/Form.tsx'
import { useZodForm } from '../ui/form.ts'
import { TextArea, TextField } from '../ui/TextField.tsx'
import { toast } from '../ui/Toasts.tsx'

type SavedAnswer = ResponseOf<CaseCalls['answers']>['answers'][number]

interface ManageAnswersProps {
  of: CaseCalls
  /** Text in the reply form. A new saved answer starts with it. */
  initialText: string
  onClose: () => void
}

/** Dialog to add, change and remove saved answers, which all staff share. */
export function ManageAnswers({ of, initialText, onClose }: ManageAnswersProps) {
  const { t } = useLingui()
  const response = useResponse(of.answers, {})
  const [edited, setEdited] = useState<SavedAnswer | 'new' | null>(null)
  const remove = async ({ id }: SavedAnswer) => {
    try {
      toast((await call(of.removeAnswer, { answerId: id })).message)
    } catch (problem) {
      toast(messageOf(problem))
    }
    await reload(of.answers)
  }
  return (
    <Dialog title={t`Saved replies`} onClose={onClose} actions={<CloseAction onClose={onClose} />}>
      {edited === null && (
        <Answered
          response={response}
          shape="lines"
          loading={<Trans>Loading the saved replies</Trans>}
          failed={<Trans>Could not load the saved replies</Trans>}
        >
          {({ answers }) => <List answers={answers} onEdit={setEdited} onRemove={(saved) => void remove(saved)} />}
        </Answered>
      )}
      {edited !== null && (
        <EditAnswer
          key={edited === 'new' ? 'new' : edited.id}
          of={of}
          // Another person may have changed it since.
          stored={edited === 'new' ? null : (response.data?.answers.find(({ id }) => id === edited.id) ?? edited)}
          initialText={initialText}
          onDone={() => setEdited(null)}
        />
      )}
    </Dialog>
  )
}

interface ListProps {
  answers: readonly SavedAnswer[]
  onEdit: (response: SavedAnswer | 'new') => void
  onRemove: (response: SavedAnswer) => void
}

function List({ answers, onEdit, onRemove }: ListProps) {
  const { t } = useLingui()
  return (
    <>
      {answers.length === 0 && (
        <p className="text-muted">
          <Trans>No saved replies yet. Save a reply that you use often.</Trans>
        </p>
      )}
      <ul className="flex flex-col">
        {answers.map((response) => (
          <li key={response.id} className="flex flex-wrap items-center gap-2 border-line border-b py-2">
            <span className="min-w-0 flex-1 basis-48">
              <strong className="wrap-anywhere">{response.title}</strong>
              <span className="line-clamp-2 text-muted text-sm wrap-anywhere">{response.text}</span>
            </span>
            <span className="flex gap-2">
              <Button size="small" aria-label={t`Edit ${response.title}`} onClick={() => onEdit(response)}>
                <Trans>Edit</Trans>
              </Button>
              <Button size="small" aria-label={t`Remove ${response.title}`} onClick={() => onRemove(response)}>
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

interface EditAnswerProps {
  of: CaseCalls
  stored: SavedAnswer | null
  initialText: string
  onDone: () => void
}

function EditAnswer({ of, stored, initialText, onDone }: EditAnswerProps) {
  const { t } = useLingui()
  const basis = stored ? { title: stored.title, text: stored.text } : undefined
  const form = useZodForm(cannedForm, {
    defaultValues: basis ?? { title: '', text: initialText },
    draft: { name: `${of.kind}-answer:${stored?.id ?? 'new'}` },
    ...(basis && { basis }),
  })
  return (
    <Form
      form={form}
      onSubmit={async (values) => {
        const made = { ...values, answerId: stored?.id ?? null, ...(form.basis && { basis: form.basis }) }
        toast((await call(of.saveAnswer, made)).message)
        await reload(of.answers)
        onDone()
      }}
    >
      <TextField
        label={t`Name`}
        hint={t`Staff choose the reply by this name. The requester cannot see it.`}
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
