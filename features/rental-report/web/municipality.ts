import { reloadWithRentals } from '../../rentals/web/parts/fresh.ts'
import { staffDay, staffUse } from '../../rentals/web/parts/page-parts.ts'
import { rentalDay } from '../contract.ts'
import { rentalUse } from '../list.ts'

staffDay.fill(() => import('./DaySheet.tsx'))
staffUse.fill(() => import('./UseReport.tsx'))
reloadWithRentals(rentalDay, rentalUse.call)
