import { Ellipsis, type LucideIcon } from 'lucide-react'
import { type ReactNode, type Ref, useId, useRef, useState } from 'react'
import { IconButton } from '../../Button.tsx'
import { cx } from '../../cx.ts'
import { Text } from '../../Text.tsx'

/** Part of the window below which a popover opens upward. */
const LOW = 0.6
const MARGIN_PX = 16

/** Positions a popover below its anchor, or above it in the lower part of the window. */
export function positionPopover(
  panel: HTMLElement,
  anchor: DOMRect,
  gap: number,
  across: Partial<CSSStyleDeclaration>,
): void {
  const { top, bottom } = anchor
  const isLow = bottom > innerHeight * LOW
  Object.assign(panel.style, {
    top: isLow ? 'auto' : `${bottom + gap}px`,
    bottom: isLow ? `${innerHeight - top + gap}px` : 'auto',
    maxHeight: `${(isLow ? top : innerHeight - bottom) - MARGIN_PX}px`,
    ...across,
  })
}

interface MoreMenuProps {
  /** Name of the button: 'More actions for Fire'. */
  label: string
  ref?: Ref<HTMLButtonElement>
  className?: string
  children: ReactNode
}

/**
 * Button `⋯` that shows further actions above all other content, so that no list cuts them off. The browser closes the
 * menu on Escape and on a click outside of it.
 */
export function MoreMenu({ label, ref, className, children }: MoreMenuProps) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const panel = useRef<HTMLDivElement>(null)
  const position = () => {
    const button = panel.current?.previousElementSibling
    if (!panel.current || !button) return
    const rect = button.getBoundingClientRect()
    const isLeft = rect.left < innerWidth / 2
    positionPopover(panel.current, rect, 4, {
      left: isLeft ? `${rect.left}px` : 'auto',
      right: isLeft ? 'auto' : `${document.documentElement.clientWidth - rect.right}px`,
    })
  }
  return (
    <>
      <IconButton
        ref={ref}
        icon={Ellipsis}
        label={label}
        aria-expanded={open}
        popoverTarget={id}
        {...(className && { className })}
      />
      {/* The keyboard presses the buttons inside, which send a click. */}
      {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions */}
      <div
        ref={panel}
        id={id}
        popover="auto"
        role="group"
        aria-label={label}
        onBeforeToggle={({ newState }) => newState === 'open' && position()}
        // Runs after the pressed button's own handler.
        onClick={({ target }) => {
          if (target instanceof Element && target.closest('button, a')) panel.current?.hidePopover()
        }}
        onToggle={({ newState }) => setOpen(newState === 'open')}
        className="more-menu fixed m-0 min-w-48 max-w-xs overflow-y-auto rounded-sm border border-line bg-surface py-1 text-ink shadow-overlay print:hidden"
      >
        <Text>{open && children}</Text>
      </div>
    </>
  )
}

interface MenuActionProps {
  icon: LucideIcon
  children: ReactNode
  onClick: () => void
  /** Full name of the action, if the text needs its context: 'Edit Fire'. */
  label?: string
  disabled?: boolean
}

/** One action of a `MoreMenu`. */
export function MenuAction({ icon: Icon, children, onClick, label, disabled = false }: MenuActionProps) {
  return (
    <button
      type="button"
      aria-label={label}
      disabled={disabled}
      className={cx(
        'focus-inside flex min-h-9 w-full items-center gap-3 px-3 text-start hover:bg-tint',
        'disabled:cursor-not-allowed disabled:text-muted',
      )}
      onClick={onClick}
    >
      <Icon size={18} aria-hidden className="shrink-0 text-link" />
      <Text>{children}</Text>
    </button>
  )
}
