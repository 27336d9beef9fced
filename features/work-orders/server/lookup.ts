import { sql } from 'kysely'
import { defineLookup } from '../../../server/lookups.ts'
import { translated } from '../../../shared/messages.ts'
import { orderStates, type OrderStatus } from '../states.ts'

interface OrderMatch {
  id: number
  number: string
  title: string
  status: OrderStatus
  location: string
  asset: string
}

export const orderLookup = defineLookup<OrderMatch>({
  kind: 'Work orders',
  area: 'work_orders',
  table: sql`found_work_order`,
  number: (typed) => sql`(r.number = ${typed.toUpperCase()} OR r.old_number = ${typed} AND r.old_number <> '')`,
  find: {
    name: sql`r.title || ' ' || r.asset_name`,
    address: sql`r.location`,
  },
  columns: {
    id: sql`r.id`,
    number: sql`r.number`,
    title: sql`r.title`,
    status: sql`r.status`,
    location: sql`r.location`,
    asset: sql`r.asset_name`,
  },
  show: ({ id, number, title, status, location, asset }) => ({
    title: `${number} ${title}`,
    detail: [translated(orderStates.labels[status]), asset, location],
    path: `/municipality/work-orders?order=${id}`,
  }),
})
