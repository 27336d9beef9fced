import { ListScreen } from '../../../../web/list/ListScreen.tsx'
import { allOutages } from '../../list-outage.ts'

/** When payments of municipalities were out. */
export default () => <ListScreen of={allOutages} rowName={({ town }) => town} />
