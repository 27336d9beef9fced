import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { useQueryParam } from '../../../web/routes.tsx'
import { may } from '../../../web/session.ts'
import { cx } from '../../../web/ui/cx.ts'
import { Link } from '../../../web/ui/Link.tsx'
import { PageHead } from '../../../web/ui/Page.tsx'
import { Departments } from './Departments.tsx'
import type { Place } from './place.ts'
import { PrivilegeMatrix } from './PrivilegeMatrix.tsx'
import { StaffTable } from './StaffTable.tsx'

/** Those who work in a place, and its departments. What is on show stands in the address. `head`: under the title. */
export function StaffScreen({ place, head }: { place: Place; head?: ReactNode }) {
  const { t } = useLingui()
  const matrix = /^\d{1,15}$/.exec(useQueryParam('privileges') ?? '')?.[0]
  const tab = useQueryParam('tab') === 'departments' ? 'departments' : 'staff'
  if (matrix)
    return (
      <>
        <PageHead title={t(place.title)} className="mb-4">
          {head}
        </PageHead>
        <PrivilegeMatrix key={matrix} place={place} id={Number(matrix)} />
      </>
    )
  return (
    <>
      <PageHead title={t(place.title)} className="mb-4">
        {head}
      </PageHead>
      <nav aria-label={t`Sections`} className="mb-6 flex flex-wrap gap-x-1 border-line border-b print:hidden">
        <Tab to={place.path} active={tab === 'staff'}>
          {place.list.title}
        </Tab>
        {may('department_management', 'view') && (
          <Tab to={`${place.path}?tab=departments`} active={tab === 'departments'}>
            <Trans>Departments</Trans>
          </Tab>
        )}
        {place.loginReport && may('reports_management', 'view') && (
          <Tab to={place.loginReport} active={false}>
            <Trans>Login Report</Trans>
          </Tab>
        )}
      </nav>
      {tab === 'departments' ? <Departments place={place} /> : <StaffTable place={place} />}
    </>
  )
}

const Tab = ({ to, active, children }: { to: string; active: boolean; children: ReactNode }) => (
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
