import { Trans, useLingui } from '@lingui/react/macro'
import { ThumbsDown, ThumbsUp } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../../../web/call.ts'
import { shortDay } from '../../../../web/clock.ts'
import { reload } from '../../../../web/query.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { Card } from '../../../../web/ui/Card.tsx'
import { FormDialog } from '../../../../web/ui/FormDialog.tsx'
import { useZodForm } from '../../../../web/ui/form.ts'
import { TextArea } from '../../../../web/ui/TextField.tsx'
import { PlainForm, plainField, Scripted } from '../../../../web/ui/PlainForm.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { feedbackForm, submitFeedback, requestByLink, requestCase } from '../../contract.ts'

interface Props {
  token: string
  number: string
  /** Deadline for reopening the request with negative feedback. Null if the request can no longer be reopened. */
  reopenUntil: string | null
  hasPhotos: boolean
}

/** Form that asks the requester for feedback on a completed request. */
export function FeedbackForm({ token, number, reopenUntil, hasPhotos }: Props) {
  const [isFixed, setIsFixed] = useState<boolean | null>(null)
  return (
    <Card aria-labelledby="verdict">
      <h2 id="verdict" className="mb-2 text-h3">
        <Trans>Was the problem fixed?</Trans>
      </h2>
      <p className="mb-4 text-muted">
        {hasPhotos && <Trans>The photos show the completed work.</Trans>}{' '}
        {reopenUntil ? (
          <Trans>
            If the problem was not fixed, tell us by {shortDay(reopenUntil)} and we will reopen request {number}.
          </Trans>
        ) : (
          <Trans>The deadline to reopen request {number} has passed.</Trans>
        )}
      </p>
      <Scripted className="flex flex-wrap gap-3" otherwise={<FeedbackWithoutScript />}>
        <Button icon={ThumbsUp} onClick={() => setIsFixed(true)}>
          <Trans>Yes, it was fixed</Trans>
        </Button>
        <Button icon={ThumbsDown} onClick={() => setIsFixed(false)}>
          <Trans>No, it was not fixed</Trans>
        </Button>
      </Scripted>
      {isFixed !== null && <Say token={token} isFixed={isFixed} onClose={() => setIsFixed(null)} />}
    </Card>
  )
}

function Say({ token, isFixed, onClose }: { token: string; isFixed: boolean; onClose: () => void }) {
  const { t } = useLingui()
  const form = useZodForm(feedbackForm, {
    defaultValues: { text: '' },
    draft: { name: `request-verdict:${token.slice(0, 8)}` },
  })
  return (
    <FormDialog
      title={isFixed ? <Trans>Problem fixed</Trans> : <Trans>Problem not fixed</Trans>}
      form={form}
      submit={<Trans>Send feedback</Trans>}
      onSubmit={async ({ text }) => {
        toast((await call(submitFeedback, { token, isFixed, text })).message)
        await Promise.all([reload(requestByLink), reload(requestCase.messages)])
      }}
      onClose={onClose}
    >
      <TextArea
        label={isFixed ? t`Anything to add?` : t`What is still wrong?`}
        optional
        rows={3}
        maxLength={4000}
        {...form.field('text')}
      />
    </FormDialog>
  )
}

/** Fields for the feedback, in a page without JavaScript. */
function FeedbackWithoutScript() {
  const { t } = useLingui()
  const field = plainField(submitFeedback)
  return (
    <PlainForm call={submitFeedback}>
      <TextArea className="w-full" label={t`Anything to add?`} optional rows={3} {...field('text')} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" name="isFixed" value="yes">
          <Trans>Yes, it was fixed</Trans>
        </Button>
        <Button type="submit" name="isFixed" value="no">
          <Trans>No, it was not fixed</Trans>
        </Button>
      </div>
    </PlainForm>
  )
}
