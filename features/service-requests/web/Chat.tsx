import { Trans, useLingui } from '@lingui/react/macro'
import { Fragment, type ReactNode } from 'react'
import { numberOf } from '../rules.ts'
import { ChatButton } from './ChatButton.tsx'
import { ChatPanel } from './ChatPanel.tsx'
import { showChat, useChat } from './open-chat.ts'

interface ChatProps {
  unread: number
  /** The button says what it is, beside its picture. */
  named?: boolean
  /** All conversations, and one of them. */
  all: ReactNode
  one: (requestId: number) => ReactNode
}

/** The button of the chat and, once it is open, its panel. */
export function Chat({ unread, named = false, all, one }: ChatProps) {
  const { t } = useLingui()
  const shown = useChat()
  return (
    <>
      <ChatButton unread={unread} named={named} />
      {shown !== null && (
        <ChatPanel
          title={shown === 0 ? <Trans>Chat</Trans> : t`Chat ${numberOf(shown)}`}
          at={shown}
          onClose={() => showChat(null)}
          onBack={shown === 0 ? undefined : () => showChat(0)}
        >
          {shown === 0 ? all : <Fragment key={shown}>{one(shown)}</Fragment>}
        </ChatPanel>
      )}
    </>
  )
}
