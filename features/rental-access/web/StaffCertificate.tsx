import { Trans, useLingui } from '@lingui/react/macro'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { formatDate } from '../../../shared/dates.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { call, messageOf } from '../../../web/call.ts'
import { longInstant } from '../../../web/clock.ts'
import { download } from '../../../web/download.ts'
import { useResponse } from '../../../web/query.ts'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { MoveButtons } from '../../../web/ui/MoveButtons.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import {
  addCertificate,
  type Certificate,
  staffCertificate,
  staffCertificateFiles,
  downloadCertificate,
  transitionCertificate,
} from '../contract-certificates.ts'
import { reloadRentals } from './fresh.ts'
import { SendCertificate } from './SendCertificate.tsx'
import { Code } from '../../../web/ui/Text.tsx'
import { certificateStates } from '../states.ts'

type Details = ResponseOf<typeof staffCertificate>

/**
 * Certificate of insurance for review by staff. Renders nothing if none was sent and none is needed, for example for a
 * declined reservation.
 */
export function StaffCertificate({ reservationId, hasEnded }: { reservationId: number; hasEnded: boolean }) {
  const response = useResponse(staffCertificate, { reservationId })
  return (
    <ResponseView response={response} shape="lines" loading={<Trans>Loading the certificate of insurance</Trans>}>
      {(data) =>
        (data.isNeeded && !hasEnded) || data.certificate ? (
          <CertificateContent reservationId={reservationId} of={data} />
        ) : null
      }
    </ResponseView>
  )
}

function CertificateContent({
  reservationId,
  of: { certificate, can, day, by },
}: {
  reservationId: number
  of: Details
}) {
  const [adds, setAdds] = useState(false)
  return (
    <section className="my-6">
      <h3 className="mb-2 text-base">
        <Trans>Certificate of insurance</Trans>
      </h3>
      {certificate ? (
        <CertificateDetails of={certificate} can={can.steps} day={day} />
      ) : (
        <p className="mb-3">
          <Trans>The certificate is missing. It is due by {longInstant(by)}.</Trans>
        </p>
      )}
      {can.send &&
        (adds ? (
          <SendCertificate
            reservationId={reservationId}
            day={day}
            takes={addCertificate}
            by={staffCertificateFiles}
            onSent={() => {
              setAdds(false)
              void reloadRentals()
            }}
          />
        ) : (
          <Button size="small" className="mt-3" onClick={() => setAdds(true)}>
            <Trans>Add certificate</Trans>
          </Button>
        ))}
    </section>
  )
}

function CertificateDetails({ of, can, day }: { of: Certificate; can: Details['can']['steps']; day: string }) {
  const { t } = useLingui()
  const certificateId = of.id
  const get = () =>
    download(downloadCertificate, { certificateId }).catch((problem: unknown) => toast(messageOf(problem), 'danger'))
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3 text-table">
        <p className="min-w-0 wrap-anywhere">
          <Code>{of.name}</Code>, <Trans>valid through {formatDate(of.validThrough)}</Trans>
          <span className="block text-muted">
            <Trans>Uploaded {longInstant(of.sentAt)}</Trans>
          </span>
        </p>
        <StateBadge of={certificateStates} state={of.status} />
      </div>
      {of.isTooShort && (
        <Notice className="mt-3" tone="warning">
          <Trans>The certificate expires before {formatDate(day)}, so the renter can't check in.</Trans>
        </Notice>
      )}
      {of.status === 'replacement_needed' && of.reason && <p className="mt-2 text-table">{of.reason}</p>}
      <Button size="small" className="mt-3" icon={Download} onClick={() => void get()}>
        <Trans>Download certificate</Trans>
      </Button>
      <MoveButtons
        of={certificateStates}
        can={can as never}
        dialog={{
          draft: `certificate-${of.id}`,
          text: () => <Trans>The renter will see this message.</Trans>,
          hint: t`Describe the problem.`,
        }}
        onPress={async (event, reason) => {
          toast((await call(transitionCertificate, { certificateId, event, ...(reason && { reason }) })).message)
          await reloadRentals()
        }}
      />
    </>
  )
}
