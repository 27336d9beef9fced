import { Trans, useLingui } from '@lingui/react/macro'
import { X } from 'lucide-react'
import { type ReactNode, useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { IconButton } from './Button.tsx'
import { cx } from './cx.ts'
import { Notice, type Tone } from './Notice.tsx'
import { Text } from './Text.tsx'

interface Toast {
  id: number
  tone: Tone
  text: ReactNode
  /** Path of the screen on which it appeared. */
  path: string
  /**
   * Height in pixels of a dismissed message. Its space stays empty while newer messages are visible, so that no message
   * moves under the pointer.
   */
  gone?: number
}

let toasts: readonly Toast[] = []
let count = 0
/**
 * True to show messages at the top, below the header. Set if the last pressed element is near the bottom of the window.
 */
let above = false
const listeners = new Set<() => void>()

const notify = () => {
  for (const listener of listeners) listener()
}

const set = (next: readonly Toast[]) => {
  toasts = next
  notify()
}

const elementIdOf = (id: number) => `message-${id}`

function dismiss(id: number): void {
  const gone = document.getElementById(elementIdOf(id))?.offsetHeight ?? 0
  const left = toasts.map((toast) => (toast.id === id ? { ...toast, gone } : toast))
  set(left.slice(0, left.findLastIndex((toast) => toast.gone === undefined) + 1))
}

const isBrief = (tone: Tone) => tone === 'success' || tone === 'info'

/** Removes the messages of other screens, which would cover the fields of a dialog. */
const endOthers = () => set(toasts.filter(({ tone, path }) => !isBrief(tone) || path === location.pathname))

/** Display time in milliseconds, enough to read slowly. Errors and warnings stay until dismissed. */
const VISIBLE_MS = 8000

/** Shows the result of an action without taking the focus: `toast('Profile saved.')`. */
export function toast(text: ReactNode, tone: Tone = 'success'): void {
  const id = ++count
  const activeElement = document.activeElement
  if (toasts.length === 0)
    above = activeElement !== document.body && (activeElement?.getBoundingClientRect().bottom ?? 0) > innerHeight * 0.6
  set([...toasts, { id, tone, text, path: location.pathname }])
  if (isBrief(tone)) setTimeout(() => dismiss(id), VISIBLE_MS)
}

const none: readonly Toast[] = []
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Open dialogs, topmost last. Messages are shown in the topmost one, since it covers the inert page. */
let dialogs: readonly object[] = []

/** True if this list belongs to the topmost dialog, or to the page if no dialog is open. */
function useIsTopmost(inDialog: boolean): boolean {
  const [layer] = useState(() => ({}))
  useLayoutEffect(() => {
    if (!inDialog) return
    dialogs = [...dialogs, layer]
    endOthers()
    return () => {
      dialogs = dialogs.filter((one) => one !== layer)
      notify()
    }
  }, [inDialog, layer])
  return useSyncExternalStore(
    subscribe,
    () => (dialogs.length === 0 ? !inDialog : dialogs.at(-1) === layer),
    () => false,
  )
}

/** List of toasts, with the oldest at the window's edge. Each shell and each dialog has such a list. */
export function Toasts({ inDialog = false }: { inDialog?: boolean }) {
  const { t } = useLingui()
  const isHere = useIsTopmost(inDialog)
  const all = useSyncExternalStore(
    subscribe,
    () => toasts,
    () => none,
  )
  const visible = isHere ? all : none
  return (
    <section
      // Inside a dialog, the list of messages is not a landmark.
      aria-label={inDialog ? undefined : t`Messages`}
      className={cx(
        'pointer-events-none fixed end-4 z-50 w-[min(26rem,calc(100vw-2rem))] print:hidden',
        above && !inDialog ? 'top-24' : 'top-4',
        // Leaves space for a panel's buttons at the bottom, which take two rows on a phone.
        // On a wide window, a panel's fields are on the other side.
        inDialog ? 'bottom-32 lg:start-4 lg:end-auto lg:bottom-4' : 'bottom-4',
      )}
    >
      <div
        role={inDialog ? undefined : 'status'}
        aria-live="polite"
        aria-relevant="additions"
        className={cx('flex h-full gap-2', above && !inDialog ? 'flex-col' : 'flex-col-reverse')}
      >
        {visible.map(({ id, tone, text, gone }) => (
          <div key={id} id={elementIdOf(id)} style={{ minHeight: gone }}>
            {gone === undefined && (
              <Notice
                tone={tone}
                className="pointer-events-auto shadow-overlay"
                aside={<IconButton icon={X} label={t`Dismiss`} onClick={() => dismiss(id)} className="-me-2 -mt-0.5" />}
              >
                <span className="spoken">
                  <Text>{spokenTone[tone]}</Text>{' '}
                </span>
                <Text>{text}</Text>
              </Notice>
            )}
          </div>
        ))}
      </div>
    </section>
  )
}

const spokenTone: Record<Tone, ReactNode> = {
  success: <Trans>Done:</Trans>,
  info: <Trans>Note:</Trans>,
  warning: <Trans>Warning:</Trans>,
  danger: <Trans>Error:</Trans>,
}
