import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { call, CallError } from '../../../../web/call.ts'
import { keyOf, queries, reload } from '../../../../web/query.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { Checkbox, RadioCards } from '../../../../web/ui/Choice.tsx'
import { Form } from '../../../../web/ui/Form.tsx'
import { useZodForm } from '../../../../web/ui/form.ts'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { TextArea } from '../../../../web/ui/TextField.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { answerForm, noteOnRequest, replyToRequest, supportRequest } from '../../contract.ts'
import type { Details } from './details.ts'
import { reloadRequests } from './fresh-requests.ts'

/** An answer to the person, or a note for colleagues. Where somebody wrote meanwhile it is not sent, and not lost. */
export function AnswerForm({ details: { request, can, lastMessageId } }: { details: Details }) {
  const { t } = useLingui()
  const kind = can.reply ? ('reply' as const) : ('note' as const)
  const form = useZodForm(answerForm, {
    defaultValues: { kind, message: '', complete: false },
    draft: { name: `support:${request.id}` },
  })
  const of = { companyId: request.companyId, requestId: request.id }
  const isNote = form.watch('kind') === 'note' || !can.reply
  const { seen, stale, read } = useSeen(lastMessageId, form.watch('message') !== '')
  const submit = async ({ message, complete }: { message: string; complete: boolean }) => {
    const sent = isNote
      ? call(noteOnRequest, { ...of, message })
      : call(replyToRequest, { ...of, message, complete, seen })
    try {
      toast((await sent).message)
    } catch (problem) {
      if (problem instanceof CallError && problem.code === 'newer_message') {
        await reload(supportRequest)
        // What was loaded may not be on show yet.
        read(queries.getQueryData<Details>(keyOf(supportRequest, of))?.lastMessageId)
      }
      throw problem
    }
    form.reset({ kind, message: '', complete: false })
    await reloadRequests()
  }
  return (
    <Form className="mt-7 border-line border-t pt-5" form={form} onSubmit={submit}>
      {can.reply && (
        <RadioCards
          label={t`Write`}
          columns={2}
          options={[
            {
              value: 'reply',
              label: t`Reply`,
              note: request.email ? t`Goes out by mail` : t`They left no email: call them`,
            },
            { value: 'note', label: t`Internal note`, note: t`For colleagues alone` },
          ]}
          {...form.choice('kind')}
        />
      )}
      <TextArea
        label={isNote ? t`Note` : t`Reply`}
        hint={!isNote && !request.email ? t`Write down what you told them on the phone.` : undefined}
        rows={5}
        maxLength={4000}
        {...form.field('message')}
      />
      <div role="status" className="empty:hidden">
        {stale && !isNote && (
          <Notice
            tone="warning"
            aside={
              <Button size="small" onClick={() => read()}>
                <Trans>I have read it</Trans>
              </Button>
            }
          >
            <Trans>Somebody wrote in this conversation since you began to write.</Trans>
          </Notice>
        )}
      </div>
      {!isNote && request.status !== 2 && (
        <Checkbox label={t`Complete the request with this reply`} {...form.field('complete')} />
      )}
      <div>
        <Button type="submit" look="primary" busy={form.formState.isSubmitting} busyLabel={<Trans>Sending...</Trans>}>
          {isNote ? <Trans>Keep the note</Trans> : <Trans>Send the reply</Trans>}
        </Button>
      </div>
    </Form>
  )
}

/**
 * The last message that whoever writes knows of: the one that was there when they began. The screen may show a newer one
 * above, where nobody looks who types.
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
