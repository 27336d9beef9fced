import { staffDay, staffUse } from '../../rentals/web/parts/page-parts.ts'

staffDay.fill(() => import('./DaySheet.tsx'))
staffUse.fill(() => import('./UseReport.tsx'))
