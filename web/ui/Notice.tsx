import { CircleAlert, CircleCheck, Info, type LucideIcon, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { useStepHeading } from './step-heading.ts'
import { Text } from './Text.tsx'

export type Tone = 'info' | 'success' | 'warning' | 'danger'

export const toneIcons: Record<Tone, LucideIcon> = {
  info: Info,
  success: CircleCheck,
  warning: TriangleAlert,
  danger: CircleAlert,
}

const edges: Record<Tone, string> = {
  info: 'border-info',
  success: 'border-success',
  warning: 'border-warning',
  danger: 'border-danger',
}

const inks: Record<Tone, string> = {
  info: 'text-info',
  success: 'text-success',
  warning: 'text-warning',
  danger: 'text-danger',
}

interface NoticeProps {
  tone?: Tone
  title?: ReactNode
  children?: ReactNode
  /** True if code can focus the notice. Screen readers also announce such a notice immediately. */
  focusable?: boolean
  /**
   * True if the notice replaces the pressed control or appears far from it. The notice then gets the focus and scrolls
   * into view.
   */
  arrives?: boolean
  /** Content at the end, such as a button to dismiss the notice. */
  aside?: ReactNode
  className?: string
}

/** A message within the page. */
export function Notice({ tone = 'info', title, children, focusable, arrives = false, aside, className }: NoticeProps) {
  const heading = useStepHeading<HTMLDivElement>(arrives)
  const Icon = toneIcons[tone]
  return (
    <div
      ref={heading}
      {...((focusable || arrives) && { role: 'alert', tabIndex: -1 })}
      className={cx('flex gap-3 rounded-sm border border-s-4 bg-surface px-4 py-3', edges[tone], className)}
    >
      <Icon size={20} aria-hidden className={cx('mt-1 shrink-0', inks[tone])} />
      <div className="min-w-0 flex-1">
        {title && <p className="font-bold">{title}</p>}
        {children && <div>{children}</div>}
      </div>
      <Text>{aside}</Text>
    </div>
  )
}

/**
 * Error from the last action that the person started. Renders nothing if it succeeded. Screen readers announce the
 * error immediately.
 */
export const Refusal = ({ children, className }: Pick<NoticeProps, 'className'> & { children: string | null }) =>
  children && (
    <Notice tone="danger" {...(className && { className })}>
      <span role="alert">{children}</span>
    </Notice>
  )
