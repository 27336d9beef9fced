import { sql } from 'kysely'
import { hasPart } from '../../../server/list-sql.ts'
import { defineLookup } from '../../../server/lookups.ts'
import { roles } from '../../../shared/privileges.ts'

interface MemberMatch {
  id: number
  name: string
  email: string
  department: string
}

export const staffLookup = defineLookup<MemberMatch>({
  kind: 'Staff',
  area: 'staff',
  table: sql`found_person`,
  where: sql`r.role_id >= ${sql.lit(roles.municipalityStaff)}`,
  number: () => null,
  find: {
    word: (word) => sql`(${hasPart(sql`r.name_key`, word)} OR ${hasPart(sql`r.email`, word)})`,
    name: sql`r.name_key`,
    isSmall: true,
  },
  columns: {
    id: sql`r.id`,
    name: sql`r.first_name || ' ' || r.last_name`,
    email: sql`r.email`,
    department: sql`(SELECT d.name FROM person p JOIN department d ON d.company_id = p.company_id AND d.id = p.department_id
      WHERE p.company_id = r.company_id AND p.id = r.id)`,
  },
  show: ({ id, name, email, department }) => ({
    title: name,
    detail: [department, email],
    path: `/municipality/manage/manage-staff?person=${id}`,
  }),
})
