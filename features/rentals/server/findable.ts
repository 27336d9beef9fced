import type { SearchSource } from '../../../server/findable.ts'
import { say } from '../../../shared/messages.ts'

/** Search source for the rental resources of the company. */
export const findableRentals: SearchSource = {
  kind: 'rentals',
  all: async (tx, { company }) => {
    const rows = await tx
      .selectFrom('rental_resource')
      .select(['id', 'name', 'kind', 'description'])
      .where('company_id', '=', company.id)
      .where('status', '=', 'open')
      .orderBy('name')
      .orderBy('id')
      .execute()
    return rows.map(({ id, name, kind, description }) => ({
      title: name,
      text: description,
      // People search for the type of resource and for its purpose.
      alternatives: [say`Rent ${kind}`, say`Reserve ${name}`, say`Book ${kind} for a party`],
      path: `/resource-rentals/${id}`,
    }))
  },
}
