import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { useSession } from '../session.ts'

/** What only residents do themselves, such as signing. Staff who impersonate them read why it is missing. */
export const OwnOnly = ({ children }: { children: ReactNode }) =>
  useSession()?.impersonating ? (
    <p className="text-muted">
      <Trans>Only the resident can do this. It is not possible while impersonating.</Trans>
    </p>
  ) : (
    children
  )
