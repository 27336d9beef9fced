import { shortInstant } from '../../../web/clock.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { autopayRemovals } from '../list.ts'

/** Shows ended AutoPay enrollments with their reasons (spec 2.3). */
export default function AutopayRemovalsScreen() {
  return <ListScreen of={autopayRemovals} rowName={({ reference, at }) => `${reference}, ${shortInstant(at)}`} />
}
