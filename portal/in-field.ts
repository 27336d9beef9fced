import { part as inspections } from '../features/inspections/web/InField.tsx'
import { part as hydrants } from '../features/hydrants/web/InField.tsx'
import { part as orders } from '../features/work-orders/web/InField.tsx'

/** Parts of the field screen in display order. They load together with that screen. */
export const parts = [orders, inspections, hydrants]
