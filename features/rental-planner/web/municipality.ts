import { staffPlanner } from '../../rentals/web/parts/page-parts.ts'

staffPlanner.fill(() => import('./Planner.tsx'))
