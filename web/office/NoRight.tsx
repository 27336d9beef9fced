import { Trans } from '@lingui/react/macro'
import { labelledRights, policyTitle } from '../../shared/privilege-labels.ts'
import type { PolicyName, Right } from '../../shared/privileges.ts'
import { PageHead } from '../ui/Page.tsx'
import { ErrorState } from '../ui/States.tsx'

interface NoRightProps {
  /** Of the screen that is asked for. */
  title: string
  needs: readonly [PolicyName, Right]
  /** Of the administrator portal; else of a town's back office. */
  isPlatform: boolean
}

/** In place of a screen on which everything would be refused: which right it takes, and who can give it. */
export function NoRight({ title, needs: [policy, right], isPlatform }: NoRightProps) {
  const label = labelledRights(policy).find(([name]) => name === right)?.[1]
  const module = policyTitle(policy)
  return (
    <>
      <PageHead title={title} />
      <ErrorState
        title={<Trans>You may not see this</Trans>}
        next={
          isPlatform ? (
            <Trans>
              A Super Administrator can give it to you, under Manage Admin Users. You need not sign in again.
            </Trans>
          ) : (
            <Trans>
              A Municipality Admin can give it to you, under Manage Municipality. You need not sign in again.
            </Trans>
          )
        }
      >
        {label ? (
          <Trans>
            This takes the right “{label}” of “{module}”, which you do not have.
          </Trans>
        ) : (
          <Trans>This takes a role that manages “{module}”.</Trans>
        )}
      </ErrorState>
    </>
  )
}
