import { Trans, useLingui } from '@lingui/react/macro'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { cx } from './cx.ts'

/** Link that skips the content that is the same on all pages. It is the first element that the Tab key reaches. */
export const SkipLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <a
    href={`#${to}`}
    className="link skip"
    onClick={(event) => {
      const target = document.getElementById(to)
      if (!target) return
      event.preventDefault()
      target.focus()
      target.scrollIntoView()
    }}
  >
    {children}
  </a>
)

interface PageHeadProps {
  title: ReactNode
  /** One or two sentences below the title. */
  children?: ReactNode
  /** Buttons to the right of the title. */
  actions?: ReactNode
  className?: string
}

/** The only h1 of a screen. It gets the focus when the screen opens, so that screen readers read its name. */
export const PageHead = ({ title, children, actions, className }: PageHeadProps) => (
  <div className={cx('mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-3', className)}>
    <div className="min-w-0">
      <h1 tabIndex={-1}>{title}</h1>
      {children && <div className="mt-2 max-w-text text-muted">{children}</div>}
    </div>
    {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
  </div>
)

/** Width and margins of a resident screen's content. */
export const Measure = ({ children, className }: { children: ReactNode; className?: string }) => (
  <div className={cx('mx-auto w-full max-w-measure px-5', className)}>{children}</div>
)

interface PaginationProps {
  onPrevious: (() => void) | null
  onNext: (() => void) | null
  /** Position in the list: 'Page 2 of 24'. */
  children?: ReactNode
  /** Name of the paged list, if a screen has several. */
  label?: string | undefined
}

/** Previous and next buttons of a long list. */
export function Pagination({ onPrevious, onNext, children, label }: PaginationProps) {
  const { t } = useLingui()
  return (
    <nav aria-label={label ?? t`Pages`} className="flex flex-wrap items-center gap-4 print:hidden">
      <Button icon={ChevronLeft} disabled={!onPrevious} onClick={onPrevious ?? undefined}>
        <Trans>Previous</Trans>
      </Button>
      {children && <span role="status">{children}</span>}
      <Button disabled={!onNext} onClick={onNext ?? undefined}>
        <span className="flex items-center gap-2">
          <Trans>Next</Trans>
          <ChevronRight size={18} aria-hidden />
        </span>
      </Button>
    </nav>
  )
}
