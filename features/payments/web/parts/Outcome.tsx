import { Trans } from '@lingui/react/macro'
import { CircleAlert, CircleCheck, Clock, type LucideIcon, RotateCcw, ShieldCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { digitsOf, formatPhone } from '../../../../shared/phone.ts'
import { page } from '../../../../web/page.ts'
import { cx } from '../../../../web/ui/cx.ts'
import { Text } from '../../../../web/ui/Text.tsx'

type Tone = 'good' | 'waiting' | 'asked' | 'bad' | 'undone'

const tones: Record<Tone, { icon: LucideIcon; edge: string; ink: string }> = {
  good: { icon: CircleCheck, edge: 'border-s-success', ink: 'text-success' },
  waiting: { icon: Clock, edge: 'border-s-info', ink: 'text-info' },
  asked: { icon: ShieldCheck, edge: 'border-s-warning', ink: 'text-warning' },
  bad: { icon: CircleAlert, edge: 'border-s-danger', ink: 'text-danger' },
  undone: { icon: RotateCcw, edge: 'border-s-info', ink: 'text-info' },
}

interface OutcomeProps {
  tone: Tone
  /** Result of the payment. The title receives the focus when the component appears. */
  title: ReactNode
  /** Text that states whether money moved, and the next step. */
  children: ReactNode
  /** True while the payment is still being processed. */
  busy?: boolean
  /** Reference to quote on the phone. */
  reference?: string | null
  /** Buttons, the main one first. */
  actions?: ReactNode
  /** True if the company's phone number is shown. */
  call?: boolean
}

/** Status of a payment: the result, whether money moved, the next step and a reference. */
export function Outcome({ tone, title, children, busy, reference, actions, call }: OutcomeProps) {
  const { icon: Icon, edge, ink } = tones[tone]
  const phone = page().footer?.phone_no
  return (
    <section
      aria-labelledby="outcome"
      aria-busy={busy}
      className={cx(
        'flex max-w-text flex-col gap-3 rounded-sm border border-line border-s-6 bg-surface p-5 md:p-7',
        edge,
      )}
    >
      <div className="flex items-start gap-3">
        <Icon size={24} aria-hidden className={cx('mt-0.75 shrink-0', ink)} />
        <h2 id="outcome" className="text-h3">
          {title}
        </h2>
      </div>
      {busy && <Working />}
      <Text>{children}</Text>
      {call && phone && (
        <p className="text-muted">
          <Trans>
            If this happens again, call{' '}
            <a className="link whitespace-nowrap" href={`tel:${digitsOf(phone)}`}>
              {formatPhone(phone)}
            </a>
            .
          </Trans>
        </p>
      )}
      {reference && (
        <p className="text-muted text-sm">
          <Trans>
            Reference: <span className="font-bold text-ink tabular-nums">{reference}</span>
          </Trans>
        </p>
      )}
      {actions && <div className="mt-1 flex flex-wrap gap-3">{actions}</div>}
    </section>
  )
}

/** Progress animation. Respects reduced motion. The text next to it has the same meaning. */
const Working = () => (
  <div aria-hidden className="h-1.5 overflow-hidden rounded-sm bg-tint-2">
    <div className="h-full w-1/3 animate-[pass_1.6s_ease-in-out_infinite] rounded-sm bg-link" />
  </div>
)
