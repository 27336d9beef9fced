import { Trans, useLingui } from '@lingui/react/macro'
import { Search } from 'lucide-react'
import { type ComponentType, useEffect, useEffectEvent, useRef, useState } from 'react'
import { cx } from '../ui/cx.ts'
import { toast } from '../ui/Toasts.tsx'

interface BarProps {
  initialText: string
  onSignOut: () => void
  onClose: () => void
}

/** Function that imports the command bar. The browser loads it when the bar first opens. */
export type LoadCommandBar = () => Promise<{ default: ComponentType<BarProps> }>

const isMac = /Mac|iP(?:hone|ad|od)/.test(globalThis.navigator?.userAgent ?? '')

/**
 * Opens the command bar with Ctrl/⌘K or a field. Text that the person types into the field while the bar loads goes to
 * the bar.
 */
export function useCommandBar(load: LoadCommandBar | undefined, onSignOut: () => void) {
  const { t } = useLingui()
  const [text, setText] = useState<string | null>(null)
  const [Bar, setBar] = useState<ComponentType<BarProps> | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const show = (typed: string) => {
    setText(typed)
    if (!Bar)
      void load?.().then(
        ({ default: loaded }) => setBar(() => loaded),
        () => {
          setText(null)
          toast(t`The search could not be loaded. Reload the page and try again.`, 'danger')
        },
      )
  }
  const isOpen = text !== null && Bar !== null
  const toggle = useEffectEvent((event: KeyboardEvent) => {
    const isShortcut = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
    if (!isShortcut || event.shiftKey || event.altKey || event.defaultPrevented || !load) return
    event.preventDefault()
    if (isOpen) return setText(null)
    // Until the bar is loaded, the field takes the typed text.
    if (!Bar) field.current?.focus()
    show('')
  })
  useEffect(() => {
    document.addEventListener('keydown', toggle)
    return () => document.removeEventListener('keydown', toggle)
  }, [])
  return {
    field,
    text: text ?? '',
    show,
    bar: isOpen && <Bar initialText={text} onSignOut={onSignOut} onClose={() => setText(null)} />,
  }
}

type CommandBarState = ReturnType<typeof useCommandBar>

/** Field at the top of the side menu. A click or typed text opens the command bar. */
export function CommandField({ of: { field, text, show }, className }: { of: CommandBarState; className?: string }) {
  const { t } = useLingui()
  return (
    <div className={cx('relative', className)}>
      <Search size={16} aria-hidden className="pointer-events-none absolute start-2.5 top-2 text-on-deep-soft" />
      <input
        ref={field}
        type="text"
        aria-label={t`Find or go to`}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        placeholder={t`Find or go to`}
        autoComplete="off"
        value={text}
        onClick={() => show(text)}
        onChange={({ target }) => show(target.value)}
        onKeyDown={({ key }) => (key === 'Enter' || key === 'ArrowDown') && show(text)}
        className="h-8 w-full rounded-sm border border-on-deep-soft bg-transparent ps-8 pe-14 text-sm text-white placeholder:text-on-deep-soft"
      />
      <kbd aria-hidden className="pointer-events-none absolute end-2.5 top-2 font-sans text-on-deep-soft text-xs">
        {isMac ? '⌘K' : t`Ctrl K`}
      </kbd>
    </div>
  )
}

/** Button that opens the command bar where the field has no space. */
export function CommandButton({ of: { show }, className }: { of: CommandBarState; className?: string }) {
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      onClick={() => show('')}
      className={cx('grid size-10 place-items-center rounded-sm text-white hover:bg-deep-line', className)}
    >
      <Search size={18} aria-hidden />
      <span className="sr-only">
        <Trans>Find or go to</Trans>
      </span>
    </button>
  )
}
