import { reloadWithRentals } from '../../rentals/web/parts/fresh.ts'
import { deskAgreement, rentalFields } from '../contract-agreements.ts'
import { deskCertificate } from '../contract-certificates.ts'

reloadWithRentals(deskCertificate, deskAgreement, rentalFields)

export { reloadRentals } from '../../rentals/web/parts/fresh.ts'
