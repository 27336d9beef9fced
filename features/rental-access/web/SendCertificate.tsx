import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { Attachments } from '../../../shared/attachments.ts'
import { formatDate } from '../../../shared/dates.ts'
import { sizeLabel } from '../../../shared/file-types.ts'
import { DateField } from '../../../web/ui/Choice.tsx'
import { FileUpload } from '../../../web/ui/FileUpload.tsx'
import type { addCertificate, sendCertificate } from '../contract-certificates.ts'

interface SendProps {
  reservationId: number
  /** Last day that the insurance must cover. */
  day: string
  takes: typeof sendCertificate | typeof addCertificate
  by: Attachments
  onSent: () => void
}

/** Upload of an insurance certificate. Asks for the expiration date first, then uploads a chosen file immediately. */
export function SendCertificate({ reservationId, day, takes, by, onSent }: SendProps) {
  const { t } = useLingui()
  const [validThrough, setThrough] = useState('')
  const isDay = /^\d{4}-\d\d-\d\d$/.test(validThrough)
  const isTooShort = isDay && validThrough < day
  return (
    <div className="flex flex-col gap-4">
      <DateField
        label={t`Valid through`}
        hint={t`Enter the last day that the insurance is valid. Then choose the file.`}
        value={validThrough}
        {...(isTooShort && { error: t`The insurance must be valid on ${formatDate(day)}.` })}
        onChange={(event) => setThrough(event.target.value)}
      />
      {isDay && !isTooShort && (
        <FileUpload
          // A new key resets the upload after the date changes.
          key={validThrough}
          label={t`Certificate`}
          low
          takes={takes}
          by={by}
          fields={{ reservationId: String(reservationId), validThrough }}
          hint={<Trans>PDF, JPG or PNG, up to {sizeLabel(by.maxBytes)}.</Trans>}
          onChange={(files) => files.length > 0 && onSent()}
        />
      )}
    </div>
  )
}
