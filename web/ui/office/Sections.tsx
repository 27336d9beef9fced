import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { cx } from '../cx.ts'
import { Link } from '../Link.tsx'

/** Navigation between the parts of a screen or related screens: below the heading, or in the head of a list. */
export function Sections({ children }: { children: ReactNode }) {
  const { t } = useLingui()
  return (
    <nav aria-label={t`Sections`} className="sections flex flex-wrap gap-x-1 border-line border-b print:hidden">
      {children}
    </nav>
  )
}

interface SectionProps {
  to: string
  active: boolean
  children: ReactNode
}

export const Section = ({ to, active, children }: SectionProps) => (
  <Link
    to={to}
    aria-current={active ? 'page' : undefined}
    className={cx(
      'focus-inside -mb-px inline-flex min-h-(--control) items-center border-b-3 px-4 font-bold',
      active ? 'border-link text-ink' : 'border-transparent text-link hover:border-edge',
    )}
  >
    {children}
  </Link>
)
