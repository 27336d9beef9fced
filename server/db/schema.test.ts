import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { testDatabase } from '../../test/harness.ts'
import { schemaText } from './schema-text.ts'
import { nightly } from '../../test/nightly.ts'

test('matches the migrations', async () => {
  const { owner } = await testDatabase()
  const written = readFileSync(new URL('schema.ts', import.meta.url), 'utf8')
  const made = await schemaText(owner)
  expect(written, 'server/db/schema.ts is older than the migrations or column-types.ts: run `npm run schema`.').toBe(
    made,
  )
})

nightly('a jsonb that nothing describes is asked for, and so is a type that is not known', async () => {
  const { owner } = await testDatabase()
  await owner.query('ALTER TABLE street ADD COLUMN further jsonb')
  await expect(schemaText(owner)).rejects.toThrow('street.further holds: add it to server/db/column-types.ts')
  await owner.query('ALTER TABLE street DROP COLUMN further, ADD COLUMN further interval')
  await expect(schemaText(owner)).rejects.toThrow('street.further has the type interval')
})

test('reports a described column that no longer exists', async () => {
  const { owner } = await testDatabase()
  await owner.query('ALTER TABLE street DROP COLUMN lines CASCADE')
  await expect(schemaText(owner)).rejects.toThrow('street.lines, which the database does not have')
})
