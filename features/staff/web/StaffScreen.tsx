import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { useQueryParam } from '../../../web/routes.tsx'
import { may } from '../../../web/session.ts'
import { PageHead } from '../../../web/ui/Page.tsx'
import { Text } from '../../../web/ui/Text.tsx'
import { ListFrame } from '../../../web/ui/office/ListFrame.tsx'
import { Section, Sections } from '../../../web/ui/office/Sections.tsx'
import { Departments } from './Departments.tsx'
import type { StaffScope } from './staff-scope.ts'
import { PrivilegeMatrix } from './PrivilegeMatrix.tsx'
import { Roles } from './Roles.tsx'
import { StaffTable } from './StaffTable.tsx'

interface StaffScreenProps {
  scope: StaffScope
  head?: ReactNode
  note?: ReactNode
}

/**
 * Staff and departments of a company or the platform. The URL contains the current view. `head` appears above the
 * list, and `note` below it.
 */
export function StaffScreen({ scope, head, note }: StaffScreenProps) {
  const { t } = useLingui()
  const matrix = /^\d{1,15}$/.exec(useQueryParam('privileges') ?? '')?.[0]
  const chosen = useQueryParam('tab')
  const tab = chosen === 'departments' || (chosen === 'roles' && scope.hasAreas) ? chosen : 'staff'
  if (matrix)
    return (
      <>
        <PageHead title={t(scope.title)} className="mb-4">
          {head}
        </PageHead>
        <PrivilegeMatrix key={matrix} scope={scope} id={Number(matrix)} />
      </>
    )
  return (
    <>
      <Text>{head}</Text>
      <ListFrame
        title={t(scope.title)}
        listed
        tabs={
          <Sections>
            <Section to={scope.path} active={tab === 'staff'}>
              {scope.list.title}
            </Section>
            {scope.hasAreas && (
              <Section to={`${scope.path}?tab=roles`} active={tab === 'roles'}>
                <Trans>Roles</Trans>
              </Section>
            )}
            {may('department_management', 'view') && (
              <Section to={`${scope.path}?tab=departments`} active={tab === 'departments'}>
                <Trans>Departments</Trans>
              </Section>
            )}
            {scope.loginReport && may('reports', 'view') && (
              <Section to={scope.loginReport} active={false}>
                <Trans>Login Report</Trans>
              </Section>
            )}
          </Sections>
        }
      >
        {tab === 'roles' ? (
          <Roles scope={scope} />
        ) : tab === 'departments' ? (
          <Departments scope={scope} />
        ) : (
          <StaffTable scope={scope} />
        )}
      </ListFrame>
      {note && <p className="mt-4 text-muted text-sm">{note}</p>}
    </>
  )
}
