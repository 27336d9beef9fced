import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { formatCents } from '../../../shared/money.ts'
import type { Offered } from '../contract.ts'

/** What it costs, as far as that is known before anything is filled in. */
export function priceOf({ amountKind, amountCents }: Pick<Offered, 'amountKind' | 'amountCents'>): ReactNode {
  switch (amountKind) {
    case 'fixed':
      return formatCents(amountCents ?? 0)
    case 'computed':
      return <Trans>By what you choose</Trans>
    case 'open':
      return <Trans>As much as you like</Trans>
    case 'listed':
      return <Trans>As on your notice</Trans>
  }
}
