import { shortInstant } from '../../../web/clock.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { autopayRemovals } from '../list.ts'

/** Whose bills are not paid by AutoPay any more, and why (specification 2.3). */
export default function AutopayRemovalsScreen() {
  return <ListScreen of={autopayRemovals} rowName={({ reference, at }) => `${reference}, ${shortInstant(at)}`} />
}
