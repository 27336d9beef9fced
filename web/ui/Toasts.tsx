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
  /** It is gone, and so many pixels stay empty while a newer one stands beyond, so that none moves under somebody's hand. */
  gone?: number
}

let toasts: readonly Toast[] = []
let count = 0
/** Messages stand below the header, whose menus are pressed next, since what was pressed is where they stand otherwise. */
let above = false
const listeners = new Set<() => void>()

const tell = () => {
  for (const listener of listeners) listener()
}

const set = (next: readonly Toast[]) => {
  toasts = next
  tell()
}

const placeOf = (id: number) => `message-${id}`

function dismiss(id: number): void {
  const gone = document.getElementById(placeOf(id))?.offsetHeight ?? 0
  const left = toasts.map((toast) => (toast.id === id ? { ...toast, gone } : toast))
  set(left.slice(0, left.findLastIndex((toast) => toast.gone === undefined) + 1))
}

/** Long enough to read slowly. Errors and warnings stay until they are dismissed. */
const SHOWN_MS = 8000

/** Says what just happened, without taking the focus: `toast('Profile saved.')`. */
export function toast(text: ReactNode, tone: Tone = 'success'): void {
  const id = ++count
  const pressed = document.activeElement
  if (toasts.length === 0)
    above = pressed !== document.body && (pressed?.getBoundingClientRect().bottom ?? 0) > innerHeight * 0.6
  set([...toasts, { id, tone, text }])
  if (tone === 'success' || tone === 'info') setTimeout(() => dismiss(id), SHOWN_MS)
}

const none: readonly Toast[] = []
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The dialogs that are open, the topmost last: messages stand in that one, since it covers everything else, which is inert. */
let dialogs: readonly object[] = []

/** Are messages shown here? */
function useShownHere(inDialog: boolean): boolean {
  const [place] = useState(() => ({}))
  useLayoutEffect(() => {
    if (!inDialog) return
    dialogs = [...dialogs, place]
    tell()
    return () => {
      dialogs = dialogs.filter((one) => one !== place)
      tell()
    }
  }, [inDialog, place])
  return useSyncExternalStore(
    subscribe,
    () => (dialogs.length === 0 ? !inDialog : dialogs.at(-1) === place),
    () => false,
  )
}

/** The place where toasts appear, the oldest at the window's edge. Each shell has one, and each dialog. */
export function Toasts({ inDialog = false }: { inDialog?: boolean }) {
  const { t } = useLingui()
  const isHere = useShownHere(inDialog)
  const all = useSyncExternalStore(
    subscribe,
    () => toasts,
    () => none,
  )
  const shown = isHere ? all : none
  return (
    <section
      // In a dialog it is no landmark of its own.
      aria-label={inDialog ? undefined : t`Messages`}
      className={cx(
        'pointer-events-none fixed end-4 z-50 w-[min(26rem,calc(100vw-2rem))] print:hidden',
        above && !inDialog ? 'top-24' : 'top-4',
        // A panel has its buttons at the bottom, in two rows on a phone.
        inDialog ? 'bottom-32' : 'bottom-4',
      )}
    >
      <div
        role={inDialog ? undefined : 'status'}
        aria-live="polite"
        aria-relevant="additions"
        className={cx('flex h-full gap-2', above && !inDialog ? 'flex-col' : 'flex-col-reverse')}
      >
        {shown.map(({ id, tone, text, gone }) => (
          <div key={id} id={placeOf(id)} style={{ minHeight: gone }}>
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
