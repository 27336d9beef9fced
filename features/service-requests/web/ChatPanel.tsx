import { useLingui } from '@lingui/react/macro'
import { ArrowLeft, X } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useId, useRef } from 'react'
import { createPortal } from 'react-dom'
import { IconButton } from '../../../web/ui/Button.tsx'
import { SlideOut } from '../../../web/ui/Dialog.tsx'
import { useMedia } from '../../../web/ui/use-media.ts'
import { CHAT_BUTTON } from './open-chat.ts'
import { Text } from '../../../web/ui/Text.tsx'

interface ChatPanelProps {
  title: ReactNode
  /** Id of the chat in the panel. If the id changes, the panel stays open. */
  at: number
  onClose: () => void
  /** Returns from a single chat to the list. */
  onBack?: (() => void) | undefined
  children: ReactNode
}

/** Minimum width at which the panel fits next to a screen. */
const ROOMY = '(min-width: 80rem)'

/** Chat panel (spec 1). Appears next to the screen if the window is wide enough, otherwise over the screen. */
export function ChatPanel({ title, at, onClose, onBack, children }: ChatPanelProps) {
  const roomy = useMedia(ROOMY)
  if (roomy)
    return createPortal(
      <Beside title={title} at={at} onClose={onClose} onBack={onBack}>
        {children}
      </Beside>,
      document.body,
    )
  return (
    <SlideOut key={at} title={title} onClose={onClose}>
      {onBack && <Back onBack={onBack} />}
      <Text>{children}</Text>
    </SlideOut>
  )
}

/** Chat panel that makes the screen narrower, so that both stay visible and usable. */
function Beside({ title, at, onClose, onBack, children }: ChatPanelProps) {
  const id = useId()
  const { t } = useLingui()
  const heading = useRef<HTMLHeadingElement>(null)
  const panelRef = useRef<HTMLElement>(null)
  const shut = useEffectEvent(onClose)
  useEffect(() => {
    const before = document.activeElement
    document.documentElement.dataset['beside'] = ''
    // Moves the focus only if a button opened the panel. After a reload with an open panel, the focus does not move.
    if (before instanceof HTMLButtonElement) heading.current?.focus()
    const escape = (event: KeyboardEvent) => {
      const isMeant = panelRef.current?.contains(document.activeElement) && !document.querySelector('dialog[open]')
      if (event.key === 'Escape' && isMeant) shut()
    }
    document.addEventListener('keydown', escape)
    return () => {
      document.removeEventListener('keydown', escape)
      delete document.documentElement.dataset['beside']
      // The button that opened the panel may no longer exist, because its screen may have been closed.
      const opener = before instanceof HTMLButtonElement && before.isConnected ? before : null
      const back = opener ?? document.getElementById(CHAT_BUTTON)
      back?.focus()
    }
  }, [])
  const was = useRef(at)
  useEffect(() => {
    // The pressed button disappeared together with the previous content, so the focus moves to the heading.
    if (was.current !== at) heading.current?.focus()
    was.current = at
  }, [at])
  return (
    <aside
      ref={panelRef}
      aria-labelledby={id}
      className="fixed inset-y-0 w-beside end-0 z-30 flex flex-col border-line border-s bg-surface print:hidden"
    >
      <div className="flex items-center justify-between gap-3 border-line border-b px-4 py-3">
        <h2 ref={heading} id={id} tabIndex={-1} className="min-w-0 text-lg wrap-anywhere">
          {title}
        </h2>
        <IconButton icon={X} label={t`Close the chat`} onClick={onClose} className="-me-1" />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-4 py-4">
        {onBack && <Back onBack={onBack} />}
        <Text>{children}</Text>
      </div>
    </aside>
  )
}

function Back({ onBack }: { onBack: () => void }) {
  const { t } = useLingui()
  return <IconButton icon={ArrowLeft} label={t`All chats`} onClick={onBack} className="-ms-2 mb-2" />
}
