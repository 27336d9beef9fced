import type { ResponseOf } from '../../../shared/endpoint.ts'
import type { merchantOverview } from '../contract.ts'

/** Props of every part of the overview. */
export interface PartProps {
  data: ResponseOf<typeof merchantOverview>
}
