import { Trans } from '@lingui/react/macro'
import { permissionTexts } from '../../shared/privilege-labels.ts'
import type { Permission, PrivilegeName } from '../../shared/privileges.ts'
import { PageHead } from '../ui/Page.tsx'
import { ErrorState } from '../ui/States.tsx'

interface NoRightProps {
  title: string
  needs: readonly [PrivilegeName, Permission]
  /** True in the administrator portal, false in a company's back office. */
  isPlatform: boolean
}

/**
 * Shown in place of a screen if the server would refuse all its calls. Names the missing permission and who can grant
 * it.
 */
export default function NoPermission({ title, needs, isPlatform }: NoRightProps) {
  const { label, title: module } = permissionTexts(needs, isPlatform ? 'platform' : 'municipality')
  return (
    <>
      <PageHead title={title} />
      <ErrorState
        title={<Trans>You do not have access</Trans>}
        next={
          isPlatform ? (
            <Trans>
              A Super Administrator can give you access under Manage Admin Users. You do not need to sign in again.
            </Trans>
          ) : (
            <Trans>
              A Municipality Admin can give you access under Manage Municipality. You do not need to sign in again.
            </Trans>
          )
        }
      >
        {label ? (
          <Trans>
            This page requires the privilege “{label}” in “{module}”, which you do not have.
          </Trans>
        ) : (
          <Trans>This page requires a role with more privileges in “{module}”.</Trans>
        )}
      </ErrorState>
    </>
  )
}
