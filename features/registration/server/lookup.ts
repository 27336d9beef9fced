import { sql } from 'kysely'
import { defineLookup } from '../../../server/lookups.ts'
import { translated } from '../../../shared/messages.ts'
import { type Kind, kinds, REPORT_PATH } from '../rules.ts'
import { registrationStates, type RegistrationState } from '../states.ts'

interface RegistrationMatch {
  id: number
  number: string
  kind: Kind
  status: RegistrationState
  name: string
  owner: string
  location: string
}

export const registrationLookup = defineLookup<RegistrationMatch>({
  kind: 'Registrations',
  area: 'registration',
  table: sql`found_registration`,
  number: (typed) =>
    sql`(r.number = ${typed.toUpperCase()} OR r.kind IN (1, 2, 3) AND r.old_number = ${typed} AND r.old_number <> '')`,
  find: {
    name: sql`r.name || ' ' || r.owner_name`,
    address: sql`r.location`,
  },
  columns: {
    id: sql`r.id`,
    number: sql`r.number`,
    kind: sql`r.kind`,
    status: sql`r.status`,
    name: sql`r.name`,
    owner: sql`r.owner_name`,
    location: sql`r.location`,
  },
  show: ({ id, number, kind, status, name, owner, location }) => ({
    title: `${number} ${name}`,
    detail: [
      translated(kinds[kind]),
      translated(registrationStates.labels[status]),
      owner === name ? '' : owner,
      location,
    ],
    path: `${REPORT_PATH}?registration=${id}`,
  }),
})
