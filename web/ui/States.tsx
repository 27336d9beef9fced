import { Trans } from '@lingui/react/macro'
import { CircleAlert, Hammer, type LucideIcon, Signpost } from 'lucide-react'
import type { ReactNode } from 'react'
import { screenAbove } from '../../shared/screens.ts'
import { translated } from '../../shared/messages.ts'
import { CallError, messageOf } from '../call.ts'
import { Button, LinkButton } from './Button.tsx'
import { cx } from './cx.ts'
import { Text } from './Text.tsx'

interface EmptyStateProps {
  title: ReactNode
  /** Explains why the list is empty, or how to add to it. */
  children?: ReactNode
  icon?: LucideIcon
  /** One action for the person, such as a button. */
  action?: ReactNode
  className?: string
}

/** Empty state: a title and one action. */
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
  /** Loading text: 'Loading your payments'. */
  children: ReactNode
  /** Shape of the content: text lines, or rows with an amount. */
  shape?: 'lines' | 'rows' | 'block'
  rows?: number
  className?: string
}

const widths = ['w-[62%]', 'w-[48%]', 'w-[56%]', 'w-[40%]', 'w-[60%]', 'w-[52%]']

/** Loading text with a skeleton in the content's shape, so that the layout does not shift. */
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
  /** Title of the failure: 'Your payment did not go through'. */
  title: ReactNode
  children?: ReactNode
  /** States whether money moved, such as 'Nothing was charged.' Required for all payment failures. */
  money?: ReactNode
  /** Next step for the reader. */
  next?: ReactNode
  /** Reference that the person can quote on the phone. */
  reference?: string | null | undefined
  /** Buttons, with the main button first. */
  actions?: ReactNode
  className?: string
}

/** Error message: the failure, the effect on money, the next step and a reference. */
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
  /** Title of the failure: 'The payments could not be loaded'. */
  title?: ReactNode
  onRetry?: () => void
  /** Explains the next step if the record is missing, such as a link to its list. */
  instead?: ReactNode
}

const isMissing = (error: unknown) => error instanceof CallError && error.status === 404
/**
 * True if the server rejected the URL as malformed, for example because only half of a link was copied. A retry would
 * fail again.
 */
const isMalformed = (error: unknown) => error instanceof CallError && error.status === 400
const isRefusal = (error: unknown) => error instanceof CallError && error.status === 403

/**
 * A failed call: its message, its reference, and a retry button if a retry can help. A missing record does not count as
 * a failure.
 */
export const Failed = ({ instead, ...failed }: FailedProps) =>
  isMissing(failed.error) ? (
    <EmptyState icon={Signpost} title={<Trans>Not found</Trans>} action={instead ?? <LinkUp />}>
      {messageOf(failed.error)}
    </EmptyState>
  ) : (
    <Failure {...failed} />
  )

/** Link from the page of a record to its parent screen. */
function LinkUp() {
  const above = screenAbove(location.pathname)
  if (!above) return null
  const title = translated(above.title)
  return (
    <LinkButton to={above.path} variant="primary">
      <Trans>Go to {title}</Trans>
    </LinkButton>
  )
}

const Failure = ({ error, title, onRetry }: Omit<FailedProps, 'instead'>) => (
  <ErrorState
    title={
      isRefusal(error) ? (
        <Trans>You do not have access</Trans>
      ) : (
        (title ?? <Trans>This information could not be loaded</Trans>)
      )
    }
    reference={error instanceof CallError ? error.reference : null}
    actions={
      onRetry &&
      !isRefusal(error) &&
      !isMalformed(error) && (
        <Button variant="primary" onClick={onRetry}>
          <Trans>Try again</Trans>
        </Button>
      )
    }
  >
    {messageOf(error)}
  </ErrorState>
)
