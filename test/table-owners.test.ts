import { describe, expect, it } from 'vitest'
import { EXCEPTIONS, OWNERS, PUBLIC } from './table-owners.ts'
import { type TableUse, tablesOfSchema, tableUses, usesIn } from './table-uses.ts'

const tables = new Set(tablesOfSchema())
const uses = tableUses(tables)
/** Returns the table of a `found_` view. Such a view shows the rows of its table to searches (`make_found_view`). */
const searched = (table: string) => table.replace(/^found_/, '')
const owners = new Map(
  Object.entries(OWNERS).flatMap(([owner, owned]) => owned.map((table) => [table, owner] as const)),
)

/**
 * Uses of another feature's tables, which are allowed only as a listed exception. All features may use the tables of
 * the kits in server/.
 */
const foreignUses = uses.filter(({ table, user, isWrite }) => {
  const owner = owners.get(searched(table))
  return owner !== user && owner !== 'server' && (isWrite || !PUBLIC.includes(table))
})

const covers = (exception: (typeof EXCEPTIONS)[number], { table, user, isWrite }: TableUse) =>
  exception.users.includes(user) &&
  exception.tables.includes(searched(table)) &&
  (!isWrite || exception.may === 'write')

describe('owners of tables', () => {
  it('cover each table and view of the schema once', () => {
    const owned = Object.values(OWNERS).flat()
    expect(owned.toSorted()).toEqual([...new Set([...tables].map(searched))].toSorted())
    expect(PUBLIC.filter((table) => !owners.has(table))).toEqual([])
  })

  it('are features with statements on them', () => {
    const users = new Set(uses.map(({ user }) => user))
    expect(Object.keys(OWNERS).filter((owner) => !users.has(owner))).toEqual([])
  })
})

describe('tables of other features', () => {
  it('are used only with a listed exception', () => {
    const unlisted = foreignUses.filter((use) => !EXCEPTIONS.some((exception) => covers(exception, use)))
    expect(
      unlisted.map(({ table, user, isWrite, at }) => `${user} ${isWrite ? 'writes' : 'reads'} ${table} at ${at}`),
    ).toEqual([])
  })

  it('have no unneeded exception', () => {
    const unneeded = EXCEPTIONS.flatMap(({ users, may, tables: listed }) =>
      users.flatMap((user) =>
        listed
          .filter(
            (table) =>
              !foreignUses.some(
                (use) => use.user === user && searched(use.table) === table && use.isWrite === (may === 'write'),
              ),
          )
          .map((table) => `${user} ${may} ${table}`),
      ),
    )
    expect(unneeded).toEqual([])
  })

  it('have one exception for each user and table', () => {
    const pairs = EXCEPTIONS.flatMap(({ users, tables: listed }) =>
      users.flatMap((user) => listed.map((table) => `${user} ${table}`)),
    )
    expect(pairs.filter((pair, index) => pairs.indexOf(pair) !== index)).toEqual([])
  })
})

describe('the scan', () => {
  const used = (code: string) =>
    usesIn('features/bins/server/empty.ts', code, new Set(['bin', 'street', 'truck'])).map(
      ({ table, isWrite }) => `${isWrite ? 'writes' : 'reads'} ${table}`,
    )

  it.each([
    ["tx.selectFrom('bin as b').innerJoin('street as s', 's.id', 'b.street_id')", ['reads street', 'reads bin']],
    ["tx.insertInto('bin').values({})", ['writes bin']],
    ["for (const table of ['bin', 'truck'] as const) tx.deleteFrom(table)", ['writes bin', 'writes truck']],
    ["changeRow(tx, 'bin', company, id, {})", ['writes bin']],
    ["const retention = [{ table: 'bin', days: 30 }]", ['writes bin']],
    ['sql`SELECT FROM bin b, street s LEFT JOIN truck t ON true`', ['reads bin', 'reads street', 'reads truck']],
    ['sql`INSERT INTO bin (id) SELECT ${id} FROM truck`', ['writes bin', 'reads truck']],
    ['sql`UPDATE bin SET n = 1 FROM street WHERE ${all}`', ['writes bin', 'reads street']],
    ['sql`DELETE FROM bin USING truck`', ['writes bin', 'reads truck']],
    ['const list = { table: sql`bin` }', ['reads bin']],
    ['sql`WITH bin AS (SELECT 1) SELECT FROM bin WHERE EXTRACT(day FROM truck.at) = 1`', []],
    ["say('The bin', 'bin')", []],
  ])('finds the tables of %s', (code, expected) => {
    expect(used(code).toSorted()).toEqual(expected.toSorted())
  })
})
