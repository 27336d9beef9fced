import { deskSeasons } from '../../rentals/web/parts/page-parts.ts'

deskSeasons.fill(() => import('./SeasonsDesk.tsx'))
