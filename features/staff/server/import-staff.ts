import { defineColumns } from '../../../server/columns.ts'
import { defineImporter, departmentIds, oneOf, parseRow, personColumns } from '../../../server/importers.ts'
import { withHistory } from '../../../server/imported-rows.ts'
import { RowError } from '../../../server/row-error.ts'
import { email as emailSchema } from '../../../shared/email.ts'
import { accountStates } from '../../../shared/account-states.ts'
import { say } from '../../../shared/messages.ts'
import { splitLastFirst } from '../../../shared/person-names.ts'
import { companyStaff } from '../contract.ts'
import { positions } from '../rules.ts'
import { addMember } from './invite-staff.ts'
import { roleKeys } from './roles.ts'
import { changerIn, companyDirectory } from './staff-directory.ts'

const columns = defineColumns('staff', {
  needs: ['email', 'first|name', 'role'],
  columns: {
    email: { title: 'Email', aliases: 'email_address work_email', content: 'email', sample: 'ann@example.gov' },
    first: { title: 'First name', aliases: 'first firstname given_name', sample: 'Ann' },
    last: { title: 'Last name', aliases: 'last lastname surname family_name', sample: 'Lee' },
    name: { title: 'Name', aliases: 'full_name employee employee_name' },
    name_last_first: personColumns.name_last_first,
    role: { title: 'Role', aliases: 'permission permissions access', sample: 'Front desk', preset: 'Front desk' },
    department: { title: 'Department', aliases: 'division team' },
    position: { title: 'Position', aliases: 'title job_title' },
  },
})

const positionNames = new Map(Object.entries(positions).map(([key, name]) => [name.toLowerCase(), Number(key)]))

/** Imports staff without invitations, so no one gets an email. Staff send each invitation on the screen of the person. */
defineImporter({
  kind: 'staff',
  columns,
  max: 2000,
  undo: { tables: [{ table: 'staff_role' }, ...withHistory('person', accountStates.name)] },
  async start({ tx, call }) {
    const directory = companyDirectory(call)
    const actor = await changerIn(tx, call, companyStaff.invite.access, directory)
    const departments = await departmentIds(tx, call.company.id)
    const roles = await roleKeys(tx, call.company.id)
    const people = await tx
      .selectFrom('person')
      .select(['email', 'role_id'])
      .where('company_id', '=', call.company.id)
      .execute()
    const existing = new Map(people.map((person) => [person.email.toLowerCase(), person.role_id]))
    return {
      take(get) {
        const name = get('name', 120)
        const [word = '', ...rest] = name.split(/\s+/)
        const { first, last } = splitLastFirst(name) ?? { first: word, last: rest.join(' ') }
        const [firstName, lastName] = [get('first', 60) || first, get('last', 60) || last]
        if (firstName === '' || lastName === '') throw new RowError(say`Enter the first and last name.`)
        const email = parseRow(emailSchema, get('email', 254))
        const role = existing.get(email.toLowerCase())
        if (role !== undefined && role < 3)
          throw new RowError(say`A resident has an account with this email address. Use another email address.`)
        return {
          email,
          firstName,
          lastName,
          roleId: oneOf(say`Role`, get('role'), roles),
          departmentId: oneOf(say`Department`, get('department'), departments),
          position: positionNames.get(get('position').toLowerCase()) ?? 1,
        }
      },
      keyOf: ({ email }) => email.toLowerCase(),
      async write(person) {
        if (existing.has(person.email.toLowerCase())) return 'unchanged'
        await addMember(tx, call, { directory, actor }, person)
        return 'created'
      },
    }
  },
})
