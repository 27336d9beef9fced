import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { Message } from '../../../../web/cases/CaseMessages.tsx'
import { openingPath } from '../../../../web/cases/CaseRow.tsx'
import { call } from '../../../../web/call.ts'
import { useLive } from '../../../../web/live.ts'
import { reload, useResponse } from '../../../../web/query.ts'
import { ResponseView } from '../../../../web/ui/ResponseView.tsx'
import { LinkButton } from '../../../../web/ui/Button.tsx'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { Failed, LoadingState } from '../../../../web/ui/States.tsx'
import { StatusBadge } from '../../../../web/ui/StatusBadge.tsx'
import { translated } from '../../../../shared/messages.ts'
import { openMyRequest, requestCase } from '../../contract.ts'
import { myChatEvents, myChats } from '../../contract-staff.ts'
import { Chat } from '../Chat.tsx'
import { ChatList } from '../ChatList.tsx'
import { MessagesView } from '../../../../web/cases/MessagesView.tsx'

/** Chat of a resident with the municipality. Opens next to any screen (spec 1). */
export default function ResidentChat() {
  const { data } = useResponse(myChats, {})
  const reloadChats = () => void Promise.all([reload(myChats), reload(requestCase.messages)])
  useLive(myChatEvents, reloadChats, reloadChats)
  return <Chat unread={data?.unread ?? 0} all={<OwnChats />} one={(id) => <One id={id} />} />
}

function OwnChats() {
  const response = useResponse(myChats, {})
  return (
    <ResponseView
      response={response}
      loading={<Trans>Loading your chats</Trans>}
      failed={<Trans>Could not load your chats</Trans>}
    >
      {({ chats }) => (
        <>
          <ChatList
            chats={chats}
            pathOf={(id) => openingPath('/communication', id)}
            empty={<Trans>Report a problem, and we will reply to you here.</Trans>}
          />
          <LinkButton className="mt-4" to="/communication">
            <Trans>Your requests</Trans>
          </LinkButton>
        </>
      )}
    </ResponseView>
  )
}

/** Tokens of the chats that were opened in this tab. They have the same effect as the token in an emailed link. */
const tokens = new Map<number, string>()

function One({ id }: { id: number }) {
  const [token, setToken] = useState(tokens.get(id) ?? '')
  const [error, setError] = useState<unknown>(null)
  const [tries, setTries] = useState(0)
  useEffect(() => {
    if (token) return
    let here = true
    setError(null)
    call(openMyRequest, { requestId: id }).then(
      (opened) => {
        tokens.set(id, opened.token)
        if (here) setToken(opened.token)
      },
      (problem) => here && setError(problem),
    )
    return () => {
      here = false
    }
  }, [id, token, tries])
  if (token) return <Messages token={token} />
  if (error)
    return (
      <Failed error={error} title={<Trans>Could not load the messages</Trans>} onRetry={() => setTries(tries + 1)} />
    )
  return (
    <LoadingState shape="lines">
      <Trans>Loading the messages</Trans>
    </LoadingState>
  )
}

function Messages({ token }: { token: string }) {
  const { t } = useLingui()
  const response = useResponse(requestCase.messages, { token })
  const last = response.data?.lastMessageId
  // Reloads the list of chats after the resident reads the messages here, so that the unread count is correct.
  useEffect(() => {
    const timer = setTimeout(() => void reload(myChats), 1000)
    return () => clearTimeout(timer)
  }, [last])
  return (
    <MessagesView response={response}>
      {(view) => (
        <>
          <p className="mb-4 flex flex-wrap items-center justify-between gap-2 text-table">
            <strong className="min-w-0 wrap-anywhere">{view.title}</strong>
            <StatusBadge kind={view.state.kind}>{translated(view.state.label)}</StatusBadge>
          </p>
          <Message
            of={requestCase}
            token={token}
            messages={view}
            byline={(by) => by}
            reopensHint={t`Your message will reopen the request.`}
            closed={
              <Notice>
                <Trans>This request is closed. For anything else, submit a new request.</Trans>
              </Notice>
            }
          />
        </>
      )}
    </MessagesView>
  )
}
