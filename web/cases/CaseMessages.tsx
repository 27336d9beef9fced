import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useEffect, useState } from 'react'
import type * as z from 'zod/mini'
import { type CaseCalls, messageForm } from '../../shared/cases.ts'
import type { ResponseOf } from '../../shared/endpoint.ts'
import { translated } from '../../shared/messages.ts'
import { call } from '../call.ts'
import { reload, useResponse } from '../query.ts'
import { SendButton } from '../ui/SendButton.tsx'
import { Form } from '../ui/Form.tsx'
import { forgetDraft, useZodForm } from '../ui/form.ts'
import { Measure, PageHead } from '../ui/Page.tsx'
import { Failed, LoadingState } from '../ui/States.tsx'
import { StatusBadge } from '../ui/StatusBadge.tsx'
import { TextArea } from '../ui/TextField.tsx'
import { toast } from '../ui/Toasts.tsx'
import { AttachFiles, idsOf } from './AttachFiles.tsx'
import { useMarkRead } from './read.ts'
import { Timeline } from './Timeline.tsx'
import { Text } from '../ui/Text.tsx'

type MessagesResponse = ResponseOf<CaseCalls['messages']>

interface CaseMessagesProps {
  of: CaseCalls
  /** Secret token of the emailed link. */
  token: string
  title: ReactNode
  loading: ReactNode
  failed: ReactNode
  /** Next step if the link has expired. */
  nextLink: ReactNode
  /** Shown if no more messages are accepted. */
  closed: ReactNode
  /** Hint below the field if a message reopens the case. */
  reopensHint: string
  byline: (by: string) => ReactNode
  /** Details of the subject, above the timeline. */
  beside?: ReactNode
  /**
   * True while the details load. The page then waits and shows all parts together, so that no content moves while the
   * person reads.
   */
  waits?: boolean
}

/** Polling interval of a guest's page, because guests receive no events. */
const REFRESH_MS = 20_000

/** The page behind an emailed link: the timeline of a case, and a field for another message. */
export function CaseMessages({
  of,
  token,
  title,
  loading,
  failed,
  nextLink,
  closed,
  reopensHint,
  byline,
  beside,
  waits = false,
}: CaseMessagesProps) {
  const { data: loaded, error, refetch } = useResponse(of.messages, { token })
  const isThere = loaded !== undefined
  const data = waits ? undefined : loaded
  useEffect(() => {
    if (!isThere) return
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void reload(of.messages)
    }, REFRESH_MS)
    return () => clearInterval(timer)
  }, [of, isThere])
  return (
    <Measure className="py-10 md:py-14">
      <div className="mx-auto max-w-text">
        <PageHead title={title}>
          {data && (
            <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span>
                <Text>{data.number}</Text> · <Text>{data.title}</Text>
              </span>
              <StatusBadge kind={data.state.kind}>{translated(data.state.label)}</StatusBadge>
            </span>
          )}
        </PageHead>
        {!data && (loaded || !error) && <LoadingState shape="lines">{loading}</LoadingState>}
        {error && !loaded && (
          <>
            <Failed error={error} title={failed} onRetry={() => void refetch()} />
            <Text>{nextLink}</Text>
          </>
        )}
        {data && (
          <>
            <Text>{beside}</Text>
            <Message of={of} token={token} byline={byline} closed={closed} reopensHint={reopensHint} messages={data} />
          </>
        )}
      </div>
    </Measure>
  )
}

interface MessageProps extends Pick<CaseMessagesProps, 'of' | 'token' | 'byline' | 'closed' | 'reopensHint'> {
  messages: MessagesResponse
}

/** The timeline and the message field: the page without its header. */
export const Message = ({ of, token, byline, closed, reopensHint, messages }: MessageProps) => (
  <>
    <Messages of={of} token={token} messages={messages} byline={byline} />
    {messages.can.write ? (
      <Write of={of} token={token} hint={messages.reopens ? reopensHint : undefined} />
    ) : (
      <div className="mt-8">{closed}</div>
    )}
  </>
)

interface MessagesProps extends Pick<CaseMessagesProps, 'of' | 'token' | 'byline'> {
  messages: MessagesResponse
}

function Messages({ of, token, messages: { entries, seenId, lastMessageId }, byline }: MessagesProps) {
  useMarkRead(lastMessageId, (upTo) => call(of.readMessages, { token, upTo }))
  return <Timeline of={of} fileOwner={{ token }} entries={entries} seenId={seenId} audience="person" byline={byline} />
}

function Write({ of, token, hint }: { of: CaseCalls; token: string; hint: string | undefined }) {
  const { t } = useLingui()
  const form = useZodForm(messageForm, {
    defaultValues: { message: '', files: [] },
    draft: { name: `${of.kind}:${token.slice(0, 8)}` },
    plain: of.message,
  })
  const [round, setRound] = useState(0)
  const [uploading, setUploading] = useState(false)
  const submit = async ({ message, files }: z.output<typeof messageForm>) => {
    toast((await call(of.message, { token, message, files: idsOf(files) })).message)
    form.reset({ message: '', files: [] })
    setRound((before) => before + 1)
    forgetDraft(form)
    await reload(of.messages)
  }
  return (
    <Form className="mt-8 border-line border-t pt-6 print:hidden" form={form} onSubmit={submit}>
      <TextArea label={t`Message`} hint={hint} rows={4} maxLength={4000} {...form.field('message')} />
      <AttachFiles key={round} of={of} field={form.choice('files')} onBusy={setUploading} />
      <SendButton form={form} waits={uploading}>
        <Trans>Send message</Trans>
      </SendButton>
    </Form>
  )
}
