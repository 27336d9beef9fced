import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { actsForOther, useSession } from '../session.ts'

/**
 * Content that only residents themselves may use, such as a signature. Impersonating staff see why the content is
 * missing.
 */
export const OwnOnly = ({ children }: { children: ReactNode }) =>
  actsForOther(useSession()) ? (
    <p className="text-muted">
      <Trans>
        Only the resident can complete this step. You cannot complete the step while you impersonate the resident.
      </Trans>
    </p>
  ) : (
    children
  )
