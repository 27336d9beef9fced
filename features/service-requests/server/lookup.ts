import { sql } from 'kysely'
import { defineLookup } from '../../../server/lookups.ts'
import { translated } from '../../../shared/messages.ts'
import { idIn } from '../rules.ts'
import { requestStates, type RequestStatus } from '../states.ts'

interface RequestMatch {
  id: number
  number: string
  title: string
  status: RequestStatus
  name: string
  location: string
}

export const requestLookup = defineLookup<RequestMatch>({
  kind: 'Requests',
  area: 'requests',
  table: sql`found_service_request`,
  where: sql`NOT r.is_spam`,
  number: (typed) => {
    const id = idIn(typed)
    const isOld = sql`(r.old_number = ${typed} AND r.old_number <> '')`
    return id === null ? isOld : sql`(r.id = ${id} OR ${isOld})`
  },
  find: {
    name: sql`r.name || ' ' || r.title`,
    address: sql`r.location`,
  },
  columns: {
    id: sql`r.id`,
    number: sql`r.number`,
    title: sql`r.title`,
    status: sql`r.status`,
    name: sql`r.name`,
    location: sql`r.location`,
  },
  show: ({ id, number, title, status, name, location }) => ({
    title: `${number} ${title}`,
    detail: [translated(requestStates.labels[status]), name, location],
    path: `/municipality/manage/customer-communication?request=${id}`,
  }),
})
