import { Trans } from '@lingui/react/macro'
import { formatDate } from '../../../shared/dates.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { page } from '../../../web/page.ts'
import { Notice } from '../../../web/ui/Notice.tsx'
import { Tried } from '../../outages/web/parts/OutageAttempt.tsx'
import type { linkedAccounts } from '../contract.ts'
import { Text } from '../../../web/ui/Text.tsx'

type Shutoff = NonNullable<ResponseOf<typeof linkedAccounts>['accounts'][number]['shutoff']>

/** Warning about a scheduled or completed shutoff, with the required action, the deadline and a phone number. */
export function ShutoffNotice({ of, pastDueCents }: { of: Shutoff; pastDueCents: number }) {
  const { state, on, amountCents, reason } = of
  const phone = page().footer?.phone_no || page().support.phone
  const amount = formatCents(amountCents ?? pastDueCents)
  const day = formatDate(on)
  const hasAmount = (amountCents ?? pastDueCents) > 0
  return (
    <Notice
      tone="danger"
      title={
        state === 'scheduled' ? (
          <Trans>Service will be shut off on {day}</Trans>
        ) : (
          <Trans>Service was shut off on {day}</Trans>
        )
      }
    >
      <p>
        <Text>{reason && `${reason}. `}</Text>
        {hasAmount && state === 'scheduled' && <Trans>Pay {amount} before that day to keep the service on.</Trans>}
        {hasAmount && state === 'off' && (
          <Trans>Pay {amount} and call us to have the service turned on again.</Trans>
        )}{' '}
        {phone && (
          <Trans>
            If you cannot pay now, or think this is a mistake, call us:{' '}
            <a className="link" href={`tel:+1${phone}`}>
              {formatPhone(phone)}
            </a>
            .
          </Trans>
        )}
      </p>
      {of.tried && (
        <p className="mt-2">
          <Tried of={of.tried} /> <Trans>Mention this payment attempt when you call.</Trans>
        </p>
      )}
    </Notice>
  )
}
