import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { usePath } from '../../../web/routes.tsx'
import { may } from '../../../web/session.ts'
import { cx } from '../../../web/ui/cx.ts'
import { Link } from '../../../web/ui/Link.tsx'

export const FILES = '/municipality/manage/billing-files'

/** What goes to and fro between the town and its billing system, a screen for each. */
export function Sections() {
  const { t } = useLingui()
  return (
    <nav aria-label={t`Sections`} className="mb-6 flex flex-wrap gap-x-1 border-line border-b print:hidden">
      <Tab to={FILES}>
        <Trans>Files that came in</Trans>
      </Tab>
      <Tab to={`${FILES}/remittances`}>
        <Trans>Remittances</Trans>
      </Tab>
      {may('company_setup', 'update') && (
        <Tab to={`${FILES}/keys`}>
          <Trans>API Keys</Trans>
        </Tab>
      )}
    </nav>
  )
}

function Tab({ to, children }: { to: string; children: ReactNode }) {
  const active = usePath() === to
  return (
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
}
