import { Trans } from '@lingui/react/macro'
import { CircleAlert, Hammer, type LucideIcon, Signpost } from 'lucide-react'
import type { ReactNode } from 'react'
import { screenAbove } from '../../shared/screens.ts'
import { translated } from '../../shared/words.ts'
import { CallError, sentenceOf } from '../call.ts'
import { Button, LinkButton } from './Button.tsx'
import { cx } from './cx.ts'
import { Text } from './Text.tsx'

interface EmptyStateProps {
  title: ReactNode
  /** Why it is empty, or how it fills. */
  children?: ReactNode
  icon?: LucideIcon
  /** One thing to do about it. */
  action?: ReactNode
  className?: string
}

/** Nothing here yet: blank lots, and one action. */
export const EmptyState = ({ title, children, icon: Icon = Hammer, action, className }: EmptyStateProps) => (
  <div className={cx('flex max-w-form flex-col items-start gap-3', className)}>
    <div aria-hidden className="lots mb-2 grid h-32 w-full place-items-center">
      <span className="grid size-14 place-items-center rounded-sm border border-line bg-surface text-link">
        <Icon size={26} />
      </span>
    </div>
    <h2 className="text-h3">{title}</h2>
    {children && <p className="text-muted">{children}</p>}
    <Text>{action}</Text>
  </div>
)

interface LoadingStateProps {
  /** What is being loaded: 'Loading your payments'. */
  children: ReactNode
  /** The shape of what comes: text lines, or rows with an amount. */
  shape?: 'lines' | 'rows' | 'block'
  rows?: number
  className?: string
}

const widths = ['w-[62%]', 'w-[48%]', 'w-[56%]', 'w-[40%]', 'w-[60%]', 'w-[52%]']

/** Something is on its way: words, and a skeleton in its shape so that nothing jumps when it comes. */
export const LoadingState = ({ children, shape = 'rows', rows = 6, className }: LoadingStateProps) => (
  <div role="status" className={className}>
    <p className="mb-4 text-muted">{children}</p>
    <div aria-hidden className="flex flex-col gap-3">
      {shape === 'block' && <div className="skeleton h-40" />}
      {shape !== 'block' &&
        Array.from({ length: rows }, (_, i) => (
          <div key={i} className="flex justify-between gap-6">
            <div className={cx('skeleton h-5', widths[i % widths.length])} />
            {shape === 'rows' && <div className="skeleton h-5 w-20" />}
          </div>
        ))}
    </div>
  </div>
)

interface ErrorStateProps {
  /** What happened: 'Your payment did not go through'. */
  title: ReactNode
  children?: ReactNode
  /** Whether money moved, wherever it could have: 'Nothing was charged.' */
  money?: ReactNode
  /** What to do now. */
  next?: ReactNode
  /** What to quote when calling. */
  reference?: string | null | undefined
  /** Buttons, the main one first. */
  actions?: ReactNode
  className?: string
}

/** Something failed: what happened, whether money moved, what to do next, and a reference. */
export const ErrorState = ({ title, children, money, next, reference, actions, className }: ErrorStateProps) => (
  <div
    role="alert"
    className={cx(
      'flex flex-col gap-3 rounded-sm border border-line border-s-6 border-s-danger bg-surface p-5 md:p-7',
      className,
    )}
  >
    <div className="flex items-start gap-3">
      <CircleAlert size={22} aria-hidden className="mt-0.75 shrink-0 text-danger" />
      <h2 className="text-h3">{title}</h2>
    </div>
    {(children || money) && (
      <p>
        <Text>{children}</Text> {money && <strong>{money}</strong>}
      </p>
    )}
    {next && <p className="text-muted">{next}</p>}
    {reference && (
      <p className="text-muted text-sm">
        <Trans>
          Reference: <span className="font-bold text-ink">{reference}</span>
        </Trans>
      </p>
    )}
    {actions && <div className="mt-1 flex flex-wrap gap-3">{actions}</div>}
  </div>
)

interface FailedProps {
  error: unknown
  /** What was being loaded: 'The payments could not be loaded'. */
  title?: ReactNode
  onRetry?: () => void
  /** Where a reader of a missing record goes on: a link to its list. */
  instead?: ReactNode
}

const isMissing = (error: unknown) => error instanceof CallError && error.status === 404
/** The address itself is wrong, such as half of a link: the same call fails again. */
const isMalformed = (error: unknown) => error instanceof CallError && error.status === 400
const isRefusal = (error: unknown) => error instanceof CallError && error.status === 403

/** A failed call: its sentence, its reference, and another try if that can help. A missing record is no failure. */
export const Failed = ({ instead, ...failed }: FailedProps) =>
  isMissing(failed.error) ? (
    <EmptyState icon={Signpost} title={<Trans>Not found</Trans>} action={instead ?? <WayUp />}>
      {sentenceOf(failed.error)}
    </EmptyState>
  ) : (
    <Failure {...failed} />
  )

/** On the page of one record: the way to the screen above. */
function WayUp() {
  const above = screenAbove(location.pathname)
  if (!above) return null
  const title = translated(above.title)
  return (
    <LinkButton to={above.path} look="primary">
      <Trans>Go to {title}</Trans>
    </LinkButton>
  )
}

const Failure = ({ error, title, onRetry }: Omit<FailedProps, 'instead'>) => (
  <ErrorState
    title={isRefusal(error) ? <Trans>You may not see this</Trans> : (title ?? <Trans>This could not be loaded</Trans>)}
    reference={error instanceof CallError ? error.reference : null}
    actions={
      onRetry &&
      !isRefusal(error) &&
      !isMalformed(error) && (
        <Button look="primary" onClick={onRetry}>
          <Trans>Try again</Trans>
        </Button>
      )
    }
  >
    {sentenceOf(error)}
  </ErrorState>
)
