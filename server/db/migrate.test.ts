import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emptyDatabase, testFolder } from '../../test/harness.ts'
import { migrate, readMigrations } from './migrate.ts'

const write = (folder: string, files: Record<string, string>) => {
  for (const [name, sql] of Object.entries(files)) writeFileSync(join(folder, 'migrations', name), sql)
}

function folderWith(files: Record<string, string>): string {
  const folder = testFolder()
  mkdirSync(join(folder, 'migrations'))
  write(folder, files)
  return folder
}

test('applies each migration once if ten servers start together', async () => {
  const { url, owner } = await emptyDatabase()
  const applied = await Promise.all(Array.from({ length: 10 }, () => migrate(url)))
  const names = readMigrations().map(({ name }) => name)
  expect(applied.flat().toSorted()).toEqual(names)
  const { rows } = await owner.query('SELECT name FROM schema_migration ORDER BY name')
  expect(rows.map(({ name }) => name)).toEqual(names)
})

test('rolls back a failed migration and retries it at the next start', async () => {
  const { url, owner } = await emptyDatabase()
  const folder = folderWith({
    '0001_good.sql': 'CREATE TABLE good (id int)',
    '0002_bad.sql': 'CREATE TABLE half (id int);\nSELECT 1/0',
  })
  await expect(migrate(url, folder)).rejects.toThrow('Migration 0002_bad.sql failed: division by zero')
  const { rows } = await owner.query(
    "SELECT to_regclass('good') IS NOT NULL AS good, to_regclass('half') IS NOT NULL AS half",
  )
  expect(rows[0]).toEqual({ good: true, half: false })
  write(folder, { '0002_bad.sql': 'CREATE TABLE half (id int)' })
  expect(await migrate(url, folder)).toEqual(['0002_bad.sql'])
  expect(await migrate(url, folder)).toEqual([])
})

test('refuses a migration that was edited after it was applied', async () => {
  const { url } = await emptyDatabase()
  const folder = folderWith({ '0001_town.sql': 'CREATE TABLE town (id int)' })
  await migrate(url, folder)
  write(folder, { '0001_town.sql': 'CREATE TABLE town (id int)\r\n' })
  await expect(migrate(url, folder)).rejects.toThrow(
    'Migration 0001_town.sql was edited after it had been applied here.',
  )
})

test('ignores line ends of another system', async () => {
  const { url } = await emptyDatabase()
  const folder = folderWith({ '0001_town.sql': 'CREATE TABLE town (id int);\nSELECT 1;\n' })
  await migrate(url, folder)
  write(folder, { '0001_town.sql': 'CREATE TABLE town (id int);\r\nSELECT 1;\r\n' })
  expect(await migrate(url, folder)).toEqual([])
})

test('applies the baseline as a whole before the migrations', async () => {
  const { url, owner } = await emptyDatabase()
  const folder = folderWith({ '0001_later.sql': 'ALTER TABLE street ADD COLUMN name text' })
  mkdirSync(join(folder, 'schema'))
  writeFileSync(join(folder, 'schema/01_first.sql'), 'CREATE TABLE street (id int PRIMARY KEY)')
  writeFileSync(join(folder, 'schema/02_second.sql'), 'CREATE TABLE house (street int);\nSELECT 1/0')
  await expect(migrate(url, folder)).rejects.toThrow('Migration 02_second.sql failed: division by zero')
  expect((await owner.query("SELECT to_regclass('street') AS street")).rows).toEqual([{ street: null }])
  writeFileSync(join(folder, 'schema/02_second.sql'), 'CREATE TABLE house (street int REFERENCES street)')
  expect(await migrate(url, folder)).toEqual(['0000_schema', '0001_later.sql'])
  writeFileSync(join(folder, 'schema/02_second.sql'), 'CREATE TABLE house (street int)')
  await expect(migrate(url, folder)).rejects.toThrow('Migration 0000_schema was edited')
})

test('refuses a database that a newer version has changed', async () => {
  const { url } = await emptyDatabase()
  await migrate(url, folderWith({ '0001_a.sql': 'SELECT 1', '0002_b.sql': 'SELECT 2' }))
  await expect(migrate(url, folderWith({ '0001_a.sql': 'SELECT 1' }))).rejects.toThrow(
    '0002_b.sql, which this version does not know',
  )
})

test.each([
  ['a gap', { '0001_a.sql': '', '0003_c.sql': '' }],
  ['two of one number', { '0001_a.sql': '', '0001_b.sql': '' }],
  ['another shape of name', { 'first.sql': '' }],
])('refuses %s in the names', async (_what, files) => {
  await expect(migrate('postgres://nobody@127.0.0.1:1/none', folderWith(files))).rejects.toThrow(
    /names are 0001_what_it_does\.sql/,
  )
})
