import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { formatDate } from '../../../shared/dates.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { longInstant } from '../../../web/clock.ts'
import { reload } from '../../../web/query.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Card } from '../../../web/ui/Card.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import {
  type Certificate as CertificateResponse,
  certificateFiles,
  myCertificate,
  sendCertificate,
} from '../contract-certificates.ts'
import { SendCertificate } from './SendCertificate.tsx'
import { Text } from '../../../web/ui/Text.tsx'
import { certificateStates } from '../states.ts'

type MyCertificateResponse = ResponseOf<typeof myCertificate>

/** Upload and deadline of the certificate of insurance. Renders nothing if the reservation needs none. */
export function Certificate({ reservationId, of }: { reservationId: number; of: MyCertificateResponse }) {
  const [sends, setSends] = useState(false)
  const { certificate, isNeeded, canSend, day, by } = of
  if (!isNeeded && !certificate) return null
  const isMissing = isNeeded && (!certificate || certificate.status === 'replacement_needed' || certificate.isTooShort)
  return (
    <Card>
      <h2 className="mb-3 text-h3">
        <Trans>Certificate of insurance</Trans>
      </h2>
      {isMissing && canSend && (
        <Notice className="mb-4" tone="warning" title={missing(certificate)}>
          <Trans>
            Upload a certificate that is valid on {formatDate(day)}. We need the certificate before {longInstant(by)}.
            You can't check in without it.
          </Trans>
        </Notice>
      )}
      {certificate && (
        <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
          <p className="min-w-0 wrap-anywhere">
            <Text>{certificate.name}</Text>, <Trans>valid through {formatDate(certificate.validThrough)}</Trans>
          </p>
          <StateBadge of={certificateStates} state={certificate.status} />
        </div>
      )}
      {certificate?.reason && certificate.status === 'replacement_needed' && (
        <p className="mb-4">{certificate.reason}</p>
      )}
      {canSend && (isMissing || sends) && (
        <SendCertificate
          key={certificate?.id}
          reservationId={reservationId}
          day={day}
          takes={sendCertificate}
          by={certificateFiles}
          onSent={() => {
            setSends(false)
            void reload(myCertificate)
          }}
        />
      )}
      {canSend && !isMissing && !sends && (
        <Button onClick={() => setSends(true)}>
          <Trans>Replace certificate</Trans>
        </Button>
      )}
    </Card>
  )
}

const missing = (certificate: CertificateResponse | null) =>
  certificate?.status === 'replacement_needed' ? (
    <Trans>The office needs a different certificate</Trans>
  ) : certificate ? (
    <Trans>The certificate expires before your reservation ends</Trans>
  ) : (
    <Trans>Certificate missing</Trans>
  )
