import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { Said } from '../../../../web/cases/Conversation.tsx'
import { openingPath } from '../../../../web/cases/CaseRow.tsx'
import { call } from '../../../../web/call.ts'
import { useLive } from '../../../../web/live.ts'
import { reload, useAnswer } from '../../../../web/query.ts'
import { Answered } from '../../../../web/ui/Answered.tsx'
import { LinkButton } from '../../../../web/ui/Button.tsx'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { Failed, LoadingState } from '../../../../web/ui/States.tsx'
import { StatusBadge } from '../../../../web/ui/StatusBadge.tsx'
import { translated } from '../../../../shared/words.ts'
import { openMyRequest, requestCase } from '../../contract.ts'
import { myChatEvents, myChats } from '../../contract-staff.ts'
import { Chat } from '../Chat.tsx'
import { ChatList } from '../ChatList.tsx'
import { AnsweredCase } from '../../../../web/cases/AnsweredCase.tsx'

/** A resident's conversations with the municipality, beside any screen (specification 1). */
export default function ResidentChat() {
  const { data } = useAnswer(myChats, {})
  const askAnew = () => void Promise.all([reload(myChats), reload(requestCase.conversation)])
  useLive(myChatEvents, askAnew, askAnew)
  return <Chat unread={data?.unread ?? 0} all={<Mine />} one={(id) => <One id={id} />} />
}

function Mine() {
  const answer = useAnswer(myChats, {})
  return (
    <Answered
      answer={answer}
      loading={<Trans>Loading your conversations</Trans>}
      failed={<Trans>Your conversations could not be loaded</Trans>}
    >
      {({ chats }) => (
        <>
          <ChatList
            chats={chats}
            pathOf={(id) => openingPath('/communication', id)}
            empty={<Trans>Report something, and we answer you here.</Trans>}
          />
          <LinkButton className="mt-4" to="/communication">
            <Trans>Your requests</Trans>
          </LinkButton>
        </>
      )}
    </Answered>
  )
}

/** The ways into conversations that this page opened; each is the same as a mailed link. */
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
  if (token) return <Talk token={token} />
  if (error)
    return (
      <Failed
        error={error}
        title={<Trans>The conversation could not be loaded</Trans>}
        onRetry={() => setTries(tries + 1)}
      />
    )
  return (
    <LoadingState shape="lines">
      <Trans>Loading the conversation</Trans>
    </LoadingState>
  )
}

function Talk({ token }: { token: string }) {
  const { t } = useLingui()
  const answer = useAnswer(requestCase.conversation, { token })
  const last = answer.data?.lastMessageId
  // What is read here is counted no more.
  useEffect(() => {
    const timer = setTimeout(() => void reload(myChats), 1000)
    return () => clearTimeout(timer)
  }, [last])
  return (
    <AnsweredCase answer={answer}>
      {(shown) => (
        <>
          <p className="mb-4 flex flex-wrap items-center justify-between gap-2 text-table">
            <strong className="min-w-0 wrap-anywhere">{shown.title}</strong>
            <StatusBadge kind={shown.state.kind}>{translated(shown.state.label)}</StatusBadge>
          </p>
          <Said
            of={requestCase}
            token={token}
            shown={shown}
            byline={(by) => by}
            reopensHint={t`This opens your request again.`}
            closed={
              <Notice>
                <Trans>This request is closed. If there is something else, send a new one.</Trans>
              </Notice>
            }
          />
        </>
      )}
    </AnsweredCase>
  )
}
