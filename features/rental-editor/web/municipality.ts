import { resourceEditor } from '../../rentals/web/parts/page-parts.ts'

resourceEditor.fill(() => import('./ResourceEditor.tsx'))
