import { Trans } from '@lingui/react/macro'
import { ChevronDown, Menu, X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { usePath } from '../routes.tsx'
import { Button, type ButtonVariant } from './Button.tsx'
import { cx } from './cx.ts'
import { Text } from './Text.tsx'

/**
 * Manages whether a menu or list is open. Escape and navigation close it. Without `stays`, a click or focus outside
 * closes it too.
 */
export function useDisclosure({ stays = false } = {}) {
  const [open, setOpen] = useState(false)
  const path = usePath()
  const [openedAt, setOpenedAt] = useState(path)
  const container = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  if (open && openedAt !== path) setOpen(false)

  useEffect(() => {
    if (!open) return
    const elsewhere = (event: Event) => {
      if (!stays && !container.current?.contains(event.target as Node)) setOpen(false)
    }
    const escape = (event: KeyboardEvent) => {
      // If a modal dialog is open, Escape closes only the dialog.
      if (event.key !== 'Escape' || document.querySelector('dialog[open]')) return
      setOpen(false)
      button.current?.focus()
    }
    document.addEventListener('pointerdown', elsewhere)
    document.addEventListener('focusin', elsewhere)
    document.addEventListener('keydown', escape)
    return () => {
      document.removeEventListener('pointerdown', elsewhere)
      document.removeEventListener('focusin', elsewhere)
      document.removeEventListener('keydown', escape)
    }
  }, [open, stays])

  const toggle = () => {
    setOpenedAt(path)
    setOpen(!open)
  }
  return { open, toggle, close: () => setOpen(false), container, button }
}

interface MenuButtonProps {
  id: string
  of: ReturnType<typeof useDisclosure>
  variant?: ButtonVariant
  /** CSS class that hides the button if the screen has space for the menu. */
  className: string
  /** True if a phone has no space for the label of the button. */
  crowded?: boolean
}

/** Button that opens a menu which does not fit on a small screen. The menu is the element with `id`. */
export function MenuButton({ id, of, variant, className, crowded = false }: MenuButtonProps) {
  const { open, toggle, button } = of
  return (
    <Button
      ref={button}
      {...(variant && { variant })}
      icon={open ? X : Menu}
      aria-expanded={open}
      aria-controls={id}
      onClick={toggle}
      className={className}
    >
      <span className={cx(crowded && 'max-[27rem]:sr-only')}>
        <Trans>Menu</Trans>
      </span>
    </Button>
  )
}

/** A button that shows a short list of links or buttons below it. */
export function Disclosure({ label, children }: { label: ReactNode; children: ReactNode }) {
  const id = useId()
  const { open, toggle, container, button } = useDisclosure()
  return (
    <div ref={container} className="relative">
      <Button ref={button} aria-expanded={open} aria-controls={id} onClick={toggle}>
        <span className="flex items-center gap-2">
          <Text>{label}</Text>
          <ChevronDown size={16} aria-hidden className={cx('transition-transform', open && 'rotate-180')} />
        </span>
      </Button>
      <div
        id={id}
        hidden={!open}
        // The list appears above toasts, because the person opened it to use it.
        className="absolute top-full max-lg:start-0 lg:end-0 z-60 mt-1 min-w-48 rounded-sm border border-line bg-surface py-1 shadow-overlay"
      >
        {children}
      </div>
    </div>
  )
}
