import type { StaffConditionsProps } from '../../rentals/web/parts/page-parts.ts'
import { StaffAgreement } from './StaffAgreement.tsx'
import { StaffCertificate } from './StaffCertificate.tsx'

/** Agreement and certificate of insurance in the reservation's slide-out. */
export default function StaffConditions({ reservationId, hasEnded }: StaffConditionsProps) {
  return (
    <>
      <StaffAgreement reservationId={reservationId} />
      <StaffCertificate reservationId={reservationId} hasEnded={hasEnded} />
    </>
  )
}
