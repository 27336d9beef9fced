import { Plural, Trans } from '@lingui/react/macro'
import { MessagesSquare } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { cx } from '../../../web/ui/cx.ts'
import { CHAT_BUTTON, showChat, useChat } from './open-chat.ts'

interface ChatButtonProps {
  unread: number
  /** True on staff screens, where the button shows a label next to its icon. */
  named?: boolean
}

/** Button that opens and closes the chat. Announces new messages to screen readers. */
export function ChatButton({ unread, named = false }: ChatButtonProps) {
  const open = useChat() !== null
  return (
    <>
      <button
        id={CHAT_BUTTON}
        type="button"
        aria-expanded={open}
        className={cx(
          'relative inline-flex shrink-0 items-center justify-center gap-2 rounded-sm text-ink hover:bg-tint print:hidden',
          named ? 'link min-h-8 px-1' : 'size-11',
        )}
        onClick={() => showChat(open ? null : 0)}
      >
        <MessagesSquare size={named ? 18 : 22} aria-hidden />
        <span className={named ? undefined : 'spoken'} aria-hidden={unread > 0 || undefined}>
          <Trans>Chat</Trans>
        </span>
        {unread > 0 && (
          <>
            <span className="spoken">
              <Plural value={unread} one="Chat, # new message" other="Chat, # new messages" />
            </span>
            <span
              aria-hidden
              className={cx(
                'min-w-5 rounded-full bg-brand px-1 text-center font-bold text-on-brand text-xs leading-5',
                !named && 'absolute end-0 top-0',
              )}
            >
              {unread}
            </span>
          </>
        )}
      </button>
      <Arrivals unread={unread} />
    </>
  )
}

/** Announces each new message once to screen readers. Skips messages that were already unread. */
function Arrivals({ unread }: { unread: number }) {
  const before = useRef(unread)
  const [came, setCame] = useState(0)
  useEffect(() => {
    setCame(Math.max(0, unread - before.current))
    before.current = unread
  }, [unread])
  return (
    <span role="status" className="spoken">
      {came > 0 && <Plural value={came} one="# new message in the chat" other="# new messages in the chat" />}
    </span>
  )
}
