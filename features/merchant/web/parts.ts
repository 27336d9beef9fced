import type { ResponseOf } from '../../../shared/endpoint.ts'
import type { merchantOverview } from '../contract.ts'

/** What every part of the overview is drawn from. */
export interface PartProps {
  data: ResponseOf<typeof merchantOverview>
}
