import { staffSeasons } from '../../rentals/web/parts/page-parts.ts'

staffSeasons.fill(() => import('./StaffSeasons.tsx'))
