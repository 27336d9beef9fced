import { sql } from 'kysely'
import { defineLookup } from '../../../server/lookups.ts'
import { formatDate } from '../../../shared/dates.ts'
import { translated } from '../../../shared/messages.ts'
import { staffPath } from '../rules.ts'
import { moveStates, type MoveStatus } from '../states.ts'

interface MoveMatch {
  id: number
  number: string
  status: MoveStatus
  name: string
  address: string
  day: string
}

export const moveLookup = defineLookup<MoveMatch>({
  kind: 'Moves',
  area: 'moves',
  table: sql`found_move_request`,
  number: (typed) => sql`r.number = ${typed.toUpperCase()}`,
  find: {
    name: sql`r.name`,
    address: sql`r.leaves_premise || ' ' || r.enters_premise`,
  },
  columns: {
    id: sql`r.id`,
    number: sql`r.number`,
    status: sql`r.status`,
    name: sql`r.name`,
    address: sql`coalesce(nullif(r.enters_premise, ''), r.leaves_premise)`,
    day: sql`r.moves_on`,
  },
  show: ({ id, number, status, name, address, day }) => ({
    title: `${number} ${name}`,
    detail: [translated(moveStates.labels[status]), formatDate(day), address],
    path: staffPath(id),
  }),
})
