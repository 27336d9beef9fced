import { Trans, useLingui } from '@lingui/react/macro'
import { Fragment, type ReactNode } from 'react'
import { numberOf } from '../rules.ts'
import { ChatButton } from './ChatButton.tsx'
import { ChatPanel } from './ChatPanel.tsx'
import { showChat, useChat } from './open-chat.ts'

interface ChatProps {
  unread: number
  /** True if the button shows a label next to its icon. */
  named?: boolean
  /** List of chats. `one` renders a single chat. */
  all: ReactNode
  one: (requestId: number) => ReactNode
}

/** Chat button, and the chat panel if it is open. */
export function Chat({ unread, named = false, all, one }: ChatProps) {
  const { t } = useLingui()
  const chatId = useChat()
  return (
    <>
      <ChatButton unread={unread} named={named} />
      {chatId !== null && (
        <ChatPanel
          title={chatId === 0 ? <Trans>Chat</Trans> : t`Chat ${numberOf(chatId)}`}
          at={chatId}
          onClose={() => showChat(null)}
          onBack={chatId === 0 ? undefined : () => showChat(0)}
        >
          {chatId === 0 ? all : <Fragment key={chatId}>{one(chatId)}</Fragment>}
        </ChatPanel>
      )}
    </>
  )
}
