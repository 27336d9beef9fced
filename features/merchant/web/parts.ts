import type { ResponseOf } from '../../../shared/endpoint.ts'
import type { merchantOverview } from '../contract.ts'

/** Data of each part of the overview. */
export interface PartProps {
  data: ResponseOf<typeof merchantOverview>
}
