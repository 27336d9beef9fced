import { Trans } from '@lingui/react/macro'
import { screenAt } from '../../../shared/screens.ts'
import { may } from '../../../web/session.ts'
import { Link } from '../../../web/ui/Link.tsx'
import { companyScope } from './staff-scope.ts'
import { StaffScreen } from './StaffScreen.tsx'

const SETTINGS = '/municipality/manage/settings'

/** Screen 'Manage Municipality' (spec 2.3, 2.10). */
export default function CompanyStaffScreen() {
  const needs = screenAt(SETTINGS)?.needs
  const maySet = needs !== undefined && may(...needs)
  return (
    <StaffScreen
      scope={companyScope}
      note={
        maySet && (
          <Trans>
            Set the address, office hours and contacts under{' '}
            <Link className="link" to={SETTINGS}>
              Settings
            </Link>
            .
          </Trans>
        )
      }
    />
  )
}
