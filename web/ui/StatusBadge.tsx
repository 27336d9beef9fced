import { CircleAlert, CircleCheck, CircleDashed, Clock, type LucideIcon, RotateCcw, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { StateMachine, StateName, StatusKind } from '../../shared/machine.ts'
import { translated } from '../../shared/messages.ts'
import { cx } from './cx.ts'
import { Text } from './Text.tsx'

export type { StatusKind }

const kinds: Record<StatusKind, { icon: LucideIcon; tint: string }> = {
  good: { icon: CircleCheck, tint: 'bg-success-tint text-success' },
  waiting: { icon: Clock, tint: 'bg-warning-tint text-warning' },
  attention: { icon: TriangleAlert, tint: 'bg-warning-tint text-warning' },
  bad: { icon: CircleAlert, tint: 'bg-danger-tint text-danger' },
  undone: { icon: RotateCcw, tint: 'bg-info-tint text-info' },
  neutral: { icon: CircleDashed, tint: 'bg-neutral-tint text-neutral' },
}

interface StatusBadgeProps {
  kind: StatusKind
  children: ReactNode
  icon?: LucideIcon
  className?: string
}

/** Status with an icon, a word and a color, so that the status never depends on only one of them. */
export function StatusBadge({ kind, children, icon, className }: StatusBadgeProps) {
  const { icon: usual, tint } = kinds[kind]
  const Icon = icon ?? usual
  return (
    <span
      className={cx(
        'inline-flex items-center gap-1.5 whitespace-nowrap in-[dd]:whitespace-normal rounded-sm border border-transparent px-2 py-0.5 font-bold text-xs print:border-line',
        tint,
        className,
      )}
    >
      <Icon size={14} aria-hidden />
      <Text>{children}</Text>
    </span>
  )
}

interface StateBadgeProps<S extends StateName> {
  of: StateMachine<S>
  state: S
  className?: string
}

/** Badge for a record's state, from its state machine. */
export const StateBadge = <S extends StateName>({ of, state, className }: StateBadgeProps<S>) => (
  <StatusBadge kind={of.states[state].kind} className={className}>
    {translated(of.states[state].label)}
  </StatusBadge>
)
