import { describe, expect, test } from 'vitest'
import '../portal/server.ts'
import { uniqueIndexes } from '../server/db/unique.ts'
import { catalogFaults, tenantTables } from './catalog.ts'
import { testDatabase } from './harness.ts'
import { sampleOf } from './layers.ts'

/** Tables that break a schema rule, each with a text that the error must contain. */
const INVALID_TABLES: [name: string, sql: string, text: string][] = [
  ['no kind', 'CREATE TABLE wrong (id bigint PRIMARY KEY)', 'neither'],
  [
    'both kinds',
    `CREATE TABLE wrong (company_id int NOT NULL, id bigint, PRIMARY KEY (company_id, id)); COMMENT ON TABLE wrong IS 'local: x'`,
    'declared',
  ],
  [
    'a company that may be missing',
    'CREATE TABLE wrong (company_id int, id bigint, PRIMARY KEY (id))',
    'plain integer',
  ],
  [
    'a company as bigint',
    'CREATE TABLE wrong (company_id bigint NOT NULL, id bigint, PRIMARY KEY (company_id, id))',
    'plain integer',
  ],
  ['a key without the company', 'CREATE TABLE wrong (company_id int NOT NULL, id bigint PRIMARY KEY)', 'primary key'],
  [
    'a key with the company last',
    'CREATE TABLE wrong (company_id int NOT NULL, id bigint, PRIMARY KEY (id, company_id))',
    'primary key',
  ],
  [
    'a unique rule across companies',
    'CREATE TABLE wrong (company_id int NOT NULL, id bigint, email text UNIQUE, PRIMARY KEY (company_id, id))',
    'unique',
  ],
  [
    'a link that forgets the company',
    'CREATE TABLE wrong (company_id int NOT NULL, id bigint, other int, person bigint, PRIMARY KEY (company_id, id), FOREIGN KEY (other, person) REFERENCES person)',
    'same position',
  ],
  [
    'a tenant row that needs a local one',
    'CREATE TABLE wrong (company_id int NOT NULL, id bigint, staff bigint REFERENCES platform_person, PRIMARY KEY (company_id, id))',
    'local one',
  ],
  [
    'a link that sets null',
    'CREATE TABLE wrong (company_id int NOT NULL, id bigint, person bigint, PRIMARY KEY (company_id, id), FOREIGN KEY (company_id, person) REFERENCES person ON DELETE SET NULL)',
    'sets null',
  ],
  [
    'a trigger',
    `CREATE TABLE wrong (company_id int NOT NULL, id bigint, PRIMARY KEY (company_id, id));
     CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
     CREATE TRIGGER wrong_trigger BEFORE INSERT ON wrong FOR EACH ROW EXECUTE FUNCTION nothing()`,
    'trigger',
  ],
  [
    'a small identity',
    'CREATE TABLE wrong (company_id int NOT NULL, id int GENERATED ALWAYS AS IDENTITY, PRIMARY KEY (company_id, id))',
    'bigint',
  ],
  [
    'rights for the application to truncate',
    `CREATE TABLE wrong (id bigint PRIMARY KEY); COMMENT ON TABLE wrong IS 'local: x'; GRANT TRUNCATE ON wrong TO mainstreet_app`,
    'truncate',
  ],
  [
    'an owner that signs in',
    `CREATE TABLE wrong (id bigint PRIMARY KEY); COMMENT ON TABLE wrong IS 'local: x'; ALTER TABLE wrong OWNER TO mainstreet_app`,
    'belongs to a role',
  ],
]

/** Views that searches read. */
const FOUND = ['found_payment_order', 'found_utility_account', 'found_person']

const UNGUARDED: [name: string, sql: string, text: string][] = [
  [
    'no guard',
    'CREATE TABLE wrong (company_id int NOT NULL, id bigint, PRIMARY KEY (company_id, id))',
    'row-level security',
  ],
  [
    'a guard that lets everything through',
    `CREATE TABLE wrong (company_id int NOT NULL, id bigint, PRIMARY KEY (company_id, id));
     ALTER TABLE wrong ENABLE ROW LEVEL SECURITY; ALTER TABLE wrong FORCE ROW LEVEL SECURITY; CREATE POLICY own_company ON wrong USING (true)`,
    'policies',
  ],
  [
    'a view that shows every company',
    'CREATE VIEW found_wrong AS SELECT * FROM payment_order; ALTER VIEW found_wrong OWNER TO mainstreet_search',
    'found_wrong: is a view',
  ],
]

describe('separation of companies in the database', () => {
  test('accepts every table', async () => {
    const { owner } = await testDatabase()
    expect(await catalogFaults(owner)).toEqual([])
    expect((await tenantTables(owner)).length).toBeGreaterThan(15)
  })

  test.each(sampleOf(INVALID_TABLES))('refuses a table with %s', async (_name, sql, message) => {
    const { owner } = await testDatabase()
    await owner.query(`GRANT CREATE ON SCHEMA public TO mainstreet_app; ${sql}; SELECT secure_tenant_tables()`)
    expect((await catalogFaults(owner)).filter((fault) => fault.startsWith('wrong: ')).join('\n')).toContain(message)
  })

  test.each(UNGUARDED)('refuses a relation with %s', async (_name, sql, message) => {
    const { owner } = await testDatabase()
    await owner.query(sql)
    expect((await catalogFaults(owner)).join('\n')).toContain(message)
  })

  test('reports a name that is taken, also for two parallel inserts', async () => {
    const { owner } = await testDatabase()
    const { rows } = await owner.query<{ name: string }>(`
      SELECT c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indisunique`)
    const there = rows.map(({ name }) => name)
    expect(uniqueIndexes().filter((name) => !there.includes(name))).toEqual([])
    // The two unique names of a company share one error message (`refusingTakenNames`).
    const declared = [...uniqueIndexes(), 'company_name_once']
    expect(there.filter((name) => /_(?:name|title)_once$/.test(name) && !declared.includes(name))).toEqual([])
  })

  // The tests below use the demo companies.
  test('shows no tenant row without a company or with another', async () => {
    const { owner, pools } = await testDatabase({ demo: true })
    const counts = async (setting: string) => {
      const client = await pools.streams.connect()
      try {
        await client.query(`BEGIN; ${setting}`)
        const seen: Record<string, number> = {}
        for (const name of [...(await tenantTables(owner)), ...FOUND]) {
          const { rows } = await client.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${name}`)
          if (rows[0]?.n) seen[name] = rows[0].n
        }
        return seen
      } finally {
        await client.query('ROLLBACK')
        client.release()
      }
    }
    const { rows } = await owner.query<{ id: number }>(`SELECT id FROM company WHERE subdomain = 'maplegrove'`)
    expect(Object.keys(await counts(`SET LOCAL app.company_id = '${rows[0]?.id}'`)).length).toBeGreaterThan(10)
    expect(await counts('SELECT 1')).toEqual({})
    expect(await counts(`SET LOCAL app.company_id = '999999'`)).toEqual({})
  })

  test('makes a table searchable in one line, also after adding a column', async () => {
    const { owner, pools } = await testDatabase()
    await owner.query(`
      CREATE TABLE searched (company_id int NOT NULL, id bigint, PRIMARY KEY (company_id, id));
      SELECT secure_tenant_tables(); SELECT make_found_view('searched');
      ALTER TABLE searched ADD COLUMN name text NOT NULL DEFAULT 'Ada'; SELECT make_found_view('searched');
      INSERT INTO searched SELECT n, n FROM generate_series(1, 2) AS n`)
    expect((await catalogFaults(owner)).filter((fault) => fault.startsWith('found_'))).toEqual([])
    const readSearched = async (setting: string) => {
      const client = await pools.streams.connect()
      try {
        await client.query(`BEGIN; ${setting}`)
        return (await client.query('SELECT * FROM found_searched')).rows
      } finally {
        await client.query('ROLLBACK')
        client.release()
      }
    }
    expect(await readSearched(`SET LOCAL app.company_id = '2'`)).toEqual([{ company_id: 2, id: 2, name: 'Ada' }])
    expect(await readSearched('SELECT 1')).toEqual([])
    await expect(pools.streams.query(`SELECT make_found_view('person')`)).rejects.toThrow(/permission denied/)
  })

  test('rejects writing a row of another company', async () => {
    const { owner, pools } = await testDatabase({ demo: true })
    const { rows } = await owner.query<{ id: number }>(`SELECT id FROM company ORDER BY id LIMIT 2`)
    const client = await pools.streams.connect()
    try {
      await client.query(`BEGIN; SET LOCAL app.company_id = '${rows[0]?.id}'`)
      const foreign = client.query(
        `INSERT INTO company_service (company_id, id, name, description, url, position) VALUES (${rows[1]?.id}, 999, 'Never', '', '/never', 1)`,
      )
      await expect(foreign).rejects.toThrow(/row-level security/)
    } finally {
      await client.query('ROLLBACK')
      client.release()
    }
  })
})
