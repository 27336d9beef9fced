import type { CompanyId, Tx } from '../tenancy.ts'

/** Builds a query for the staff members of a company who can be assigned work. */
export const peopleAtWork = (tx: Tx, company: CompanyId) =>
  tx
    .selectFrom('person')
    .select(['id', 'first_name', 'last_name', 'department_id'])
    .where('company_id', '=', company)
    .where('role_id', '>=', 3)
    .where('is_active', '=', 1)
    .where('locked_at', 'is', null)

export const departmentsInUse = (tx: Tx, company: CompanyId) =>
  tx.selectFrom('department').select(['id', 'name']).where('company_id', '=', company).where('is_active', '=', 1)

/** Lists the possible assignees: departments by name, people by last name. */
export async function staffToChoose(tx: Tx, company: CompanyId) {
  const departments = await departmentsInUse(tx, company).orderBy('name').execute()
  const people = await peopleAtWork(tx, company).orderBy('last_name').orderBy('id').execute()
  return {
    departments,
    people: people.map(({ id, first_name, last_name, department_id }) => ({
      id,
      name: `${first_name} ${last_name}`.trim(),
      departmentId: department_id,
    })),
  }
}
