import { type Selectable, sql } from 'kysely'
import type { Schema } from '../../../server/db/schema.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { partiesOf } from '../rules.ts'

export type Move = Selectable<Schema['move_request']>

/** Start date that the database stores for the first party of each service point. */
const EVER = '0001-01-01'

interface ServicePointRef {
  key: string
  premise: string
}
/** Returns the service point of an address. All spellings of the same address return the same point. */
const servicePointRefOf = (premise: string, address: number | null): ServicePointRef => ({
  key:
    address === null
      ? `t${premise
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
          .trim()}`
      : `a${address}`,
  premise,
})
/**
 * Returns the addresses of a move, each with its change and date. A move in or out has one address. A move within has
 * two.
 */
const stopsOf = (move: Move) => [
  ...(move.leaves_on
    ? [{ ...servicePointRefOf(move.leaves_premise, move.leaves_address_id), does: 'out' as const, on: move.leaves_on }]
    : []),
  ...(move.enters_on
    ? [{ ...servicePointRefOf(move.enters_premise, move.enters_address_id), does: 'in' as const, on: move.enters_on }]
    : []),
]

/** Finds or creates the service point and locks it until the transaction ends. */
async function lockServicePoint(tx: Tx, company: CompanyId, { key, premise }: ServicePointRef): Promise<number> {
  const { id } = await tx
    .insertInto('service_point')
    .values({ company_id: company, premise_key: key, premise })
    .onConflict((on) => on.columns(['company_id', 'premise_key']).doUpdateSet({ premise_key: key }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

interface CustomerContact {
  name: string
  email: string
  person_id: number | null
}
const withCustomer = <T extends CustomerContact>(change: T) => ({
  ...change,
  identifiers: [
    `name ${change.name.toLowerCase()}`,
    ...(change.email ? [`email ${change.email.toLowerCase()}`] : []),
    ...(change.person_id === null ? [] : [`person ${change.person_id}`]),
  ],
})

/** Recomputes the responsible parties of a locked point from all its moves and agreements. */
async function updateParties(tx: Tx, company: CompanyId, point: number): Promise<void> {
  const changes = await tx
    .selectFrom('service_point_change as c')
    .innerJoin('move_request as m', (on) =>
      on.onRef('m.company_id', '=', 'c.company_id').onRef('m.id', '=', 'c.move_id'),
    )
    .select(['c.move_id as moveId', 'c.does', 'c.on_day as on', 'm.name', 'm.person_id', 'm.email'])
    .where('c.company_id', '=', company)
    .where('c.service_point_id', '=', point)
    .execute()
  const agreements = await tx
    .selectFrom('owner_agreement')
    .select(['move_id as moveId', 'from_on as from', 'until_on as until', 'name'])
    .where('company_id', '=', company)
    .where('service_point_id', '=', point)
    .execute()
  await tx
    .deleteFrom('service_point_party')
    .where('company_id', '=', company)
    .where('service_point_id', '=', point)
    .execute()
  await tx
    .insertInto('service_point_party')
    .values(
      partiesOf(changes.map(withCustomer), agreements).map(({ party, moveId, name, from, until }) => ({
        company_id: company,
        service_point_id: point,
        party,
        move_id: moveId,
        name,
        from_on: from ?? EVER,
        until_on: until,
      })),
    )
    .execute()
}

/**
 * Stores the owner's agreement. An earlier agreement ends on the day when this agreement starts. Later agreements are
 * replaced.
 */
async function saveAgreement(tx: Tx, company: CompanyId, point: number, move: Move): Promise<void> {
  const from = move.enters_on ?? move.leaves_on
  await sql`DELETE FROM owner_agreement WHERE company_id = ${company} AND service_point_id = ${point}
    AND (from_on >= ${from}::date OR move_id = ${move.id})`.execute(tx)
  await sql`UPDATE owner_agreement SET until_on = ${from} WHERE company_id = ${company} AND service_point_id = ${point}
    AND (until_on IS NULL OR until_on > ${from}::date)`.execute(tx)
  await sql`INSERT INTO owner_agreement (company_id, service_point_id, from_on, name, email, move_id)
    VALUES (${company}, ${point}, ${from}, ${move.owner_name}, ${move.owner_email}, ${move.id})`.execute(tx)
}

/**
 * Applies a completed move, or its corrected dates, to each of its service points in one transaction. Locks points in
 * the order of their keys, so that two concurrent moves cannot deadlock.
 */
export async function applyMoveToPoints(tx: Tx, company: CompanyId, move: Move): Promise<void> {
  const stops = stopsOf(move).toSorted((one, other) => (one.key < other.key ? -1 : 1))
  await tx.deleteFrom('service_point_change').where('company_id', '=', company).where('move_id', '=', move.id).execute()
  const changedPoints = new Set<number>()
  const owned = move.enters_on ? 'in' : 'out'
  for (const stop of stops) {
    const point = await lockServicePoint(tx, company, stop)
    changedPoints.add(point)
    await tx
      .insertInto('service_point_change')
      .values({ company_id: company, service_point_id: point, move_id: move.id, does: stop.does, on_day: stop.on })
      .execute()
    if (stop.does === owned && move.owner_answer === 'agreed' && move.owner_covers_vacancy)
      await saveAgreement(tx, company, point, move)
  }
  for (const point of changedPoints) await updateParties(tx, company, point)
}

/** Returns the responsible parties at the addresses of a move, by date. */
export async function partiesAt(tx: Tx, company: CompanyId, move: Move) {
  const stops = stopsOf(move)
  if (stops.length === 0) return []
  const rows = await tx
    .selectFrom('service_point as s')
    .innerJoin('service_point_party as p', (on) =>
      on.onRef('p.company_id', '=', 's.company_id').onRef('p.service_point_id', '=', 's.id'),
    )
    .select(['s.id', 's.premise', 'p.party', 'p.name', 'p.from_on as from', 'p.until_on as until'])
    .where('s.company_id', '=', company)
    .where(
      's.premise_key',
      'in',
      stops.map(({ key }) => key),
    )
    .orderBy('s.id')
    .orderBy('p.from_on')
    .execute()
  return [...Map.groupBy(rows, ({ id }) => id).values()].map((parties) => ({
    premise: parties[0]?.premise ?? '',
    parties: parties.map(({ party, name, from, until }) => ({ party, name, from: from === EVER ? null : from, until })),
  }))
}
