import { deskSeasons } from '../../rentals/web/parts.ts'

deskSeasons.fill(() => import('./SeasonsDesk.tsx'))
