import { Trans } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { ReplyForm } from '../../../../web/cases/ReplyForm.tsx'
import { useFreshCases } from '../../../../web/cases/fresh.ts'
import { useMarkCaseRead } from '../../../../web/cases/read.ts'
import { Timeline } from '../../../../web/cases/Timeline.tsx'
import { keyOf, queries, reload, useResponse } from '../../../../web/query.ts'
import { may } from '../../../../web/session.ts'
import { ResponseView } from '../../../../web/ui/ResponseView.tsx'
import { Link } from '../../../../web/ui/Link.tsx'
import { StateBadge } from '../../../../web/ui/StatusBadge.tsx'
import { requestCase } from '../../contract.ts'
import { chats, staffRequest } from '../../contract-staff.ts'
import { requestStates } from '../../states.ts'
import { Chat } from '../Chat.tsx'
import { ChatList } from '../ChatList.tsx'
import { useChat } from '../open-chat.ts'
import { type Details, INBOX, reloadRequests } from './fresh.ts'
import { MessagesView } from '../../../../web/cases/MessagesView.tsx'
import { Text } from '../../../../web/ui/Text.tsx'

/**
 * Chats about the requests that the staff member works on or follows. Opens next to any screen (spec 1, 6.3 sub-module
 * 34).
 */
export default function StaffChat() {
  const chatId = useChat()
  const { data } = useResponse(chats, {})
  useFreshCases(requestCase, [chats, ...(chatId ? [staffRequest] : [])])
  const unread = data?.chats.reduce((sum, one) => sum + one.unread, 0) ?? 0
  return <Chat unread={unread} named all={<All />} one={(id) => <One id={id} />} />
}

function All() {
  const response = useResponse(chats, {})
  return (
    <ResponseView
      response={response}
      loading={<Trans>Loading the chats</Trans>}
      failed={<Trans>Could not load the chats</Trans>}
    >
      {(data) => (
        <ChatList
          chats={data.chats}
          pathOf={(id) => `${INBOX}?request=${id}`}
          empty={<Trans>Requests that are assigned to you or your department, or that you watch, appear here.</Trans>}
        />
      )}
    </ResponseView>
  )
}

function One({ id }: { id: number }) {
  const response = useResponse(staffRequest, { subjectId: id })
  return <MessagesView response={response}>{(data) => <Messages {...data} />}</MessagesView>
}

function Messages(view: Details) {
  const { request, can, entries, seenId, lastMessageId } = view
  const subject = { subjectId: request.id }
  const end = useRef<HTMLDivElement>(null)
  useMarkCaseRead(requestCase, { ...subject, lastId: lastMessageId })
  // Reloads the list of chats, because this chat is no longer unread.
  useEffect(() => void reload(chats), [lastMessageId])
  useEffect(() => {
    // In some browsers, `scrollIntoView` returns a promise. An effect must not return one.
    end.current?.scrollIntoView({ block: 'nearest' })
  }, [lastMessageId])
  const refresh = async () => {
    await reloadRequests()
    return queries.getQueryData<Details>(keyOf(staffRequest, subject))?.lastMessageId
  }
  return (
    <>
      <p className="mb-3 flex flex-wrap items-center justify-between gap-2 text-table">
        <span className="min-w-0 wrap-anywhere">
          <strong>{request.name}</strong> · <Text>{request.title}</Text>
          <Text>{request.location && `, ${request.location}`}</Text>
        </span>
        <StateBadge of={requestStates} state={request.status} />
      </p>
      {may('requests', 'view') && (
        <p className="mb-4 text-table">
          <Link className="link" to={`${INBOX}?request=${request.id}`}>
            <Trans>All details for {request.number}</Trans>
          </Link>
        </p>
      )}
      <Timeline of={requestCase} fileOwner={subject} entries={entries} seenId={seenId} audience="staff" />
      <div ref={end} />
      {can.note && <ReplyForm of={requestCase} {...subject} view={view} fills={view.fills} refresh={refresh} />}
    </>
  )
}
