import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { useSession } from '../session.ts'

/** Content only for residents themselves, such as signing. Impersonating staff see why the content is missing. */
export const OwnOnly = ({ children }: { children: ReactNode }) =>
  useSession()?.impersonating ? (
    <p className="text-muted">
      <Trans>Only the resident can do this. You cannot do it while you impersonate them.</Trans>
    </p>
  ) : (
    children
  )
