import { reloadWithRentals } from '../../rentals/web/parts/fresh.ts'
import { staffAgreement, rentalFields } from '../contract-agreements.ts'
import { staffCertificate } from '../contract-certificates.ts'

reloadWithRentals(staffCertificate, staffAgreement, rentalFields)

export { reloadRentals } from '../../rentals/web/parts/fresh.ts'
