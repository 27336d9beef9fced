import { Trans, useLingui } from '@lingui/react/macro'
import type { AnswerOf } from '../../../shared/endpoint.ts'
import { call } from '../../../web/call.ts'
import { longInstant } from '../../../web/clock.ts'
import { reload, useAnswer } from '../../../web/query.ts'
import { useParam } from '../../../web/routes.tsx'
import { Button, LinkButton } from '../../../web/ui/Button.tsx'
import { cx } from '../../../web/ui/cx.ts'
import { Form } from '../../../web/ui/Form.tsx'
import { forgetDraft, useZodForm } from '../../../web/ui/form.ts'
import { Notice } from '../../../web/ui/Notice.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { Failed, LoadingState } from '../../../web/ui/States.tsx'
import { StatusBadge } from '../../../web/ui/StatusBadge.tsx'
import { TextArea } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { conversation, followUp, messageForm } from '../contract.ts'
import { categories, statuses } from '../rules.ts'
import { statusKinds } from './status-kinds.ts'

type Conversation = AnswerOf<typeof conversation>

/** Where a mailed link leads: what was asked and answered, and a field to write again. */
export default function ConversationScreen() {
  const token = useParam('token')
  const { data, error, refetch } = useAnswer(conversation, { token })
  return (
    <Measure className="py-10 md:py-14">
      <div className="mx-auto max-w-text">
        <PageHead title={<Trans>Your Support Request</Trans>}>
          {data && (
            <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span>
                {data.number} · {categories[data.category]}
              </span>
              <StatusBadge kind={statusKinds[data.status]}>{statuses[data.status]}</StatusBadge>
            </span>
          )}
        </PageHead>
        {!data && !error && (
          <LoadingState shape="lines">
            <Trans>Loading your request</Trans>
          </LoadingState>
        )}
        {error && !data && (
          <>
            <Failed
              error={error}
              title={<Trans>Your request could not be loaded</Trans>}
              onRetry={() => void refetch()}
            />
            <LinkButton className="mt-5" to="/support">
              <Trans>Enter a Support Request</Trans>
            </LinkButton>
          </>
        )}
        {data && (
          <>
            <Messages messages={data.messages} />
            {data.can.write ? (
              <Write token={token} status={data.status} />
            ) : (
              <Notice className="mt-8">
                <Trans>This request is closed. If there is something else, enter a new one.</Trans>
              </Notice>
            )}
          </>
        )}
      </div>
    </Measure>
  )
}

function Messages({ messages }: Pick<Conversation, 'messages'>) {
  const { t } = useLingui()
  return (
    <ol aria-label={t`Messages of this request`} className="flex flex-col gap-4">
      {messages.map(({ id, at, from, by, text }) => (
        <li
          key={id}
          className={cx(
            'rounded-sm border border-line px-4 py-3 md:w-[88%]',
            from === 'support' ? 'border-s-4 border-s-link bg-tint md:self-end' : 'bg-surface',
          )}
        >
          <p className="mb-1 text-muted text-sm">
            <strong className="text-ink">{from === 'support' ? <Trans>{by}, Website Support</Trans> : by}</strong>
            {' · '}
            <time dateTime={at}>{longInstant(at)}</time>
          </p>
          <p className="whitespace-pre-wrap wrap-anywhere">{text}</p>
        </li>
      ))}
    </ol>
  )
}

function Write({ token, status }: { token: string; status: Conversation['status'] }) {
  const { t } = useLingui()
  const form = useZodForm(messageForm, {
    defaultValues: { message: '' },
    draft: { name: `support:${token.slice(0, 8)}` },
  })
  const submit = async ({ message }: { message: string }) => {
    toast((await call(followUp, { token, message })).message)
    form.reset({ message: '' })
    forgetDraft(form)
    await reload(conversation)
  }
  return (
    <Form className="mt-8 border-line border-t pt-6 print:hidden" form={form} onSubmit={submit}>
      <TextArea
        label={t`Write again`}
        hint={status === 2 ? t`This opens your request again.` : undefined}
        rows={4}
        maxLength={4000}
        {...form.field('message')}
      />
      <div>
        <Button type="submit" look="primary" busy={form.formState.isSubmitting} busyLabel={<Trans>Sending...</Trans>}>
          <Trans>Send the message</Trans>
        </Button>
      </div>
    </Form>
  )
}
