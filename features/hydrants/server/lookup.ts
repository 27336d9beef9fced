import { sql } from 'kysely'
import { defineLookup } from '../../../server/lookups.ts'
import { translated } from '../../../shared/messages.ts'
import { HYDRANTS_PATH } from '../rules.ts'
import { hydrantStates, type HydrantService } from '../states.ts'

interface HydrantMatch {
  id: number
  number: string
  location: string
  service: HydrantService
  make: string
}

export const hydrantLookup = defineLookup<HydrantMatch>({
  kind: 'Hydrants',
  area: 'hydrants',
  table: sql`found_hydrant`,
  number: (typed) => sql`r.number = ${typed.toUpperCase()}`,
  find: {
    name: sql`r.number || ' ' || r.make || ' ' || r.model`,
    address: sql`r.location`,
  },
  columns: {
    id: sql`r.id`,
    number: sql`r.number`,
    location: sql`r.location`,
    service: sql`r.service`,
    make: sql`r.make`,
  },
  show: ({ id, number, location, service, make }) => ({
    title: `${number} ${location}`.trim(),
    detail: [translated(hydrantStates.labels[service]), make],
    path: `${HYDRANTS_PATH}?hydrant=${id}`,
  }),
})
