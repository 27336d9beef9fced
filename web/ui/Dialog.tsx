import { Trans, useLingui } from '@lingui/react/macro'
import { X } from 'lucide-react'
import { createContext, type ReactNode, type RefObject, useContext, useEffect, useId, useRef } from 'react'
import { Button, IconButton } from './Button.tsx'
import { cx } from './cx.ts'
import { useLeaving } from './LateSave.tsx'
import { Toasts } from './Toasts.tsx'

/**
 * Ref of the dialog that contains a component. Popups must be rendered inside the dialog, because the rest of the page
 * is inert.
 */
export const OverlayContext = createContext<RefObject<HTMLDialogElement | null> | null>(null)
export const useOverlay = () => useContext(OverlayContext)

interface OverlayProps {
  onClose: () => void
  labelledBy: string
  describedBy?: string
  /** True while work is in progress. Escape and a click outside then do not close the dialog. */
  locked?: boolean | undefined
  /** True if the person must respond to the dialog before doing anything else. */
  alert?: boolean
  children: ReactNode
}

/** The browser's modal dialog. It traps the focus, and returns the focus when the dialog closes. */
export function Overlay({ onClose, labelledBy, describedBy, locked, alert, children }: OverlayProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    if (!element) return
    const before = document.activeElement
    element.showModal()
    document.documentElement.style.overflow = 'hidden'
    const releaseField = focusField(element)
    const releaseFocus = trapFocus(element)
    return () => {
      releaseField()
      releaseFocus()
      element.close()
      if (!document.querySelector('dialog[open]')) document.documentElement.style.overflow = ''
      // The element that opened the dialog may no longer exist, for example if a table row became a card. After a
      // reload, the dialog opens without such an element.
      const opener =
        before instanceof HTMLElement && before !== document.body && before.isConnected ? before : undefined
      const back = opener ?? document.querySelector<HTMLElement>('main h1')
      back?.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      className="overlay"
      role={alert ? 'alertdialog' : undefined}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      onCancel={(event) => {
        event.preventDefault()
        if (!locked && event.target === dialog.current) onClose()
      }}
      onPointerDown={(event) => {
        if (event.target === dialog.current && !locked && !alert) onClose()
      }}
    >
      <OverlayContext value={dialog}>{children}</OverlayContext>
      <Toasts inDialog />
    </dialog>
  )
}

const CONTROLS =
  ':is(a[href],button,input,select,textarea,summary,[tabindex]):not(:disabled,[tabindex="-1"],[type=hidden])'

/**
 * Moves the focus to the first control of the content if that control is a field. Without this, the browser would focus
 * the close button. If content loads later, waits until it appears or the person acts.
 */
function focusField(dialog: HTMLDialogElement): () => void {
  const observer = new MutationObserver(() => attempt())
  const stop = () => {
    observer.disconnect()
    for (const action of ['keydown', 'pointerdown']) dialog.removeEventListener(action, stop)
  }
  const attempt = () => {
    const first = dialog.querySelector<HTMLElement>(`[data-content] ${CONTROLS}`)
    if (!first) return
    stop()
    if (!first.matches('input,select,textarea')) return
    const chosen =
      first.matches('[type=radio]') && dialog.querySelector<HTMLElement>('[data-content] [type=radio]:checked')
    ;(chosen || first).focus()
  }
  for (const action of ['keydown', 'pointerdown']) dialog.addEventListener(action, stop)
  observer.observe(dialog, { childList: true, subtree: true })
  attempt()
  return stop
}

/** Moves the focus to the first button if the focused element is removed, such as a used action button. */
function trapFocus(dialog: HTMLDialogElement): () => void {
  let last: EventTarget | null = null
  const note = (event: FocusEvent) => (last = event.target)
  const isLost = () => last instanceof HTMLElement && !last.isConnected && document.activeElement === document.body
  const resume = () => {
    if (isLost() && dialog.open) dialog.querySelector<HTMLElement>('button:not(:disabled)')?.focus()
  }
  dialog.addEventListener('focusin', note)
  // Waits for two frames. The code that removed the element may move the focus itself, as a closing list does.
  const observer = new MutationObserver(() => isLost() && requestAnimationFrame(() => requestAnimationFrame(resume)))
  observer.observe(dialog, { childList: true, subtree: true })
  return () => {
    observer.disconnect()
    dialog.removeEventListener('focusin', note)
  }
}

const CloseButton = ({ onClose, locked }: { onClose: () => void; locked?: boolean | undefined }) => {
  const { t } = useLingui()
  return <IconButton icon={X} label={t`Close`} onClick={onClose} disabled={locked} className="-me-1" />
}

/** Close button of a read-only panel, which has no other buttons. */
export const CloseAction = ({ onClose }: { onClose: () => void }) => (
  <Button onClick={onClose}>
    <Trans>Close</Trans>
  </Button>
)

/**
 * Scrolling area. It can get the focus if it contains no focusable element, so that the keyboard can scroll long text.
 */
function Scroller({ className, children }: { className: string; children: ReactNode }) {
  const container = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = container.current
    const content = element?.firstElementChild
    if (!element || !content) return
    const measure = () => {
      const stuck =
        element.scrollHeight > element.clientHeight &&
        !content.querySelector('a[href],:is(button,input,select,textarea):enabled')
      if (stuck) element.tabIndex = 0
      else element.removeAttribute('tabindex')
    }
    const sizes = new ResizeObserver(measure)
    sizes.observe(element)
    sizes.observe(content)
    // Watches the content too, because its focusable elements may change without a change in size.
    const parts = new MutationObserver(measure)
    parts.observe(content, { childList: true, subtree: true, attributeFilter: ['disabled', 'href'] })
    return () => {
      sizes.disconnect()
      parts.disconnect()
    }
  }, [])
  return (
    <div ref={container} data-content className={className}>
      <div>{children}</div>
    </div>
  )
}

export interface DialogProps {
  title: ReactNode
  onClose: () => void
  children: ReactNode
  /** Buttons, with the main button first. */
  actions?: ReactNode
  locked?: boolean
}

/** A centered dialog. Render it only while open: `{open && <Dialog …>}`. */
export function Dialog({ title, onClose, children, actions, locked }: DialogProps) {
  const id = useId()
  return (
    <Overlay onClose={onClose} labelledBy={id} locked={locked}>
      <div className="panel pointer-events-none absolute inset-0 grid grid-rows-[minmax(0,1fr)] place-items-center p-4">
        <div className="pointer-events-auto flex max-h-full w-full max-w-form flex-col rounded-sm border border-transparent bg-surface shadow-overlay">
          <div className="flex items-start justify-between gap-4 px-6 pt-5">
            <h2 id={id} className="text-h3">
              {title}
            </h2>
            <CloseButton onClose={onClose} locked={locked} />
          </div>
          <Scroller className="overflow-y-auto px-6 py-4">{children}</Scroller>
          {actions && <div className="flex flex-wrap gap-3 px-6 pb-6">{actions}</div>}
        </div>
      </div>
    </Overlay>
  )
}

export interface ConfirmDialogProps {
  title: ReactNode
  /** Text that states the effect of the action. */
  children: ReactNode
  confirmLabel: ReactNode
  cancelLabel?: ReactNode
  onConfirm: () => void
  onClose: () => void
  danger?: boolean
  busy?: boolean
}

/** Dialog that asks for confirmation before an action that cannot be undone. */
export function ConfirmDialog({
  title,
  children,
  confirmLabel,
  cancelLabel,
  onConfirm,
  onClose,
  danger,
  busy,
}: ConfirmDialogProps) {
  const id = useId()
  return (
    <Overlay onClose={onClose} labelledBy={id} describedBy={`${id}-text`} locked={busy} alert>
      <div className="panel absolute inset-0 grid grid-rows-[minmax(0,1fr)] place-items-center p-4">
        <div className="max-h-full w-full max-w-form overflow-y-auto rounded-sm border border-transparent bg-surface p-6 shadow-overlay">
          <h2 id={id} className="mb-3 text-h3">
            {title}
          </h2>
          <div id={`${id}-text`}>{children}</div>
          <div className="mt-6 flex flex-wrap gap-3">
            <Button variant={danger ? 'danger' : 'primary'} onClick={onConfirm} busy={busy ?? false}>
              {confirmLabel}
            </Button>
            <Button onClick={onClose} disabled={busy}>
              {cancelLabel ?? <Trans>Go back</Trans>}
            </Button>
          </div>
        </div>
      </div>
    </Overlay>
  )
}

export interface SlideOutProps {
  title: ReactNode
  onClose: () => void
  /** Form or text. It scrolls between heading and buttons. */
  children: ReactNode
  /**
   * Save and Cancel buttons. A submit button outside its form names the form: `<Button type="submit" form="company">`.
   */
  actions?: ReactNode
  locked?: boolean
}

/** Panel on the right side. Heading and buttons stay visible while the content between them scrolls. */
export function SlideOut({ title, onClose, children, actions, locked: busy }: SlideOutProps) {
  const id = useId()
  const { isLate, leave } = useLeaving(onClose)
  const locked = busy && !isLate
  return (
    <Overlay onClose={leave} labelledBy={id} locked={locked}>
      <div
        className={cx('panel-side absolute inset-y-0 end-0 flex w-full max-w-form flex-col bg-surface shadow-overlay')}
      >
        <div className="flex items-center justify-between gap-4 border-line border-b px-6 py-4">
          <h2 id={id} className="text-h3">
            {title}
          </h2>
          <CloseButton onClose={leave} locked={locked} />
        </div>
        <Scroller className="min-h-0 flex-1 overflow-y-auto scroll-py-4 px-6 py-5">{children}</Scroller>
        {actions && <div className="flex flex-wrap gap-3 border-line border-t bg-surface px-6 py-4">{actions}</div>}
      </div>
    </Overlay>
  )
}
