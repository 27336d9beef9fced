import { Trans } from '@lingui/react/macro'
import { MessagesSquare } from 'lucide-react'
import type { ReactNode } from 'react'
import { UnreadMark } from '../../../web/cases/UnreadMark.tsx'
import { shortInstant } from '../../../web/clock.ts'
import { Link } from '../../../web/ui/Link.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import type { ChatRow } from '../contract-staff.ts'
import { requestStates } from '../states.ts'
import { showChat } from './open-chat.ts'
import { Text } from '../../../web/ui/Text.tsx'

interface ChatListProps {
  chats: readonly ChatRow[]
  /** Returns the path of a chat, so that it can open in a separate tab. */
  pathOf: (id: number) => string
  /** Text of the empty list. */
  empty: ReactNode
}

/** Chats of the current person, unread first. */
export function ChatList({ chats, pathOf, empty }: ChatListProps) {
  if (chats.length === 0)
    return (
      <EmptyState icon={MessagesSquare} title={<Trans>No chats yet</Trans>}>
        {empty}
      </EmptyState>
    )
  return (
    <ul className="-mx-4">
      {chats.map(({ id, number, title, name, status, at, last, lastFrom, unread }) => (
        <li key={id} className="border-line border-b">
          <Link
            to={pathOf(id)}
            onFollow={() => showChat(id)}
            className="focus-inside flex w-full flex-col items-start gap-1 px-4 py-3 text-start text-table hover:bg-tint"
          >
            <span className="flex w-full flex-wrap items-center justify-between gap-x-3">
              <span>
                <strong>{name || title}</strong>
                <UnreadMark count={unread} />
              </span>
              <time dateTime={at} className="text-muted text-sm">
                {shortInstant(at)}
              </time>
            </span>
            <span className="text-muted text-sm wrap-anywhere">
              <Text>{number}</Text>
              <Text>{name && ` · ${title}`}</Text>
            </span>
            <span className="wrap-anywhere">
              {lastFrom === 'staff' && name && (
                <>
                  <Trans>You:</Trans>{' '}
                </>
              )}
              <Text>{last}</Text>
            </span>
            <StateBadge of={requestStates} state={status} />
          </Link>
        </li>
      ))}
    </ul>
  )
}
