import type { StatusKind } from '../../../web/ui/StatusBadge.tsx'
import type { Status } from '../rules.ts'

export const statusKinds: Record<Status, StatusKind> = {
  0: 'attention',
  1: 'waiting',
  2: 'good',
  3: 'undone',
  4: 'neutral',
}
