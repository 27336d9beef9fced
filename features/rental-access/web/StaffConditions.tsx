import type { StaffConditionsProps } from '../../rentals/web/parts/page-parts.ts'
import { StaffAgreement } from './DeskAgreement.tsx'
import { StaffCertificate } from './DeskCertificate.tsx'

/** Agreement and certificate of insurance in the reservation's slide-out. */
export default function StaffConditions({ reservationId, isOver }: StaffConditionsProps) {
  return (
    <>
      <StaffAgreement reservationId={reservationId} />
      <StaffCertificate reservationId={reservationId} isOver={isOver} />
    </>
  )
}
