import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { allOutages } from '../list.ts'

/** Payment outages of all companies. */
export default () => <ListScreen of={allOutages} rowName={({ company }) => company} />
