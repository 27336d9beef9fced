import { part as inspections } from '../features/inspections/web/InField.tsx'
import { part as hydrants } from '../features/hydrants/web/InField.tsx'
import { part as orders } from '../features/work-orders/web/InField.tsx'

/** What is on the screen for the field, in the order in which it stands; loaded with that screen. */
export const parts = [orders, inspections, hydrants]
