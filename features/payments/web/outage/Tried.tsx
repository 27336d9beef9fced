import { Trans } from '@lingui/react/macro'
import { formatDate } from '../../../../shared/dates.ts'
import { formatCents } from '../../../../shared/money.ts'
import { longInstant } from '../../../../web/clock.ts'
import type { TriedPayment } from '../../contract-tried.ts'

/** That somebody tried to pay it while payments were out, and until when nobody is late because of it. */
export function Tried({ of: { at, cents, graceUntil } }: { of: TriedPayment }) {
  const [when, amount] = [longInstant(at), formatCents(cents)]
  return graceUntil === null ? (
    <Trans>
      Tried to pay {amount} on {when} while payments were down. Nobody is late because of it as long as they are.
    </Trans>
  ) : (
    <Trans>
      Tried to pay {amount} on {when} while payments were down. Nobody is late because of it through{' '}
      {formatDate(graceUntil)}.
    </Trans>
  )
}
