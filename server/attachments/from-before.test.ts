import { expect } from 'vitest'
import { addCompanies } from '../../bench/rows.ts'
import { catalogFaults } from '../../test/catalog.ts'
import { databaseBefore } from '../../test/harness.ts'
import { nightly } from '../../test/nightly.ts'

nightly('files from before there were attachments are theirs now: logos, maps and forms', async () => {
  const { owner, moveOn } = await databaseBefore('_attachments.sql')
  await addCompanies(owner, { first: 7, count: 2, name: 'Town', subdomain: 'town' })
  const client = await owner.connect()
  await client.query('SET row_security = off')
  const id = (company: number, n: number) => `00000000-0000-4000-8000-${String(company * 100 + n).padStart(12, '0')}`
  for (const company of [7, 8]) {
    const files = ['logo', 'logo', 'town-map', 'town-map'].entries()
    for (const [n, purpose] of files)
      await client.query(
        `INSERT INTO stored_file (company_id, id, path, content_type, bytes, sha256, purpose, created_at)
         VALUES ($1, $2, $3, 'x', 5, '', $4, timestamptz '2026-01-01' + $5 * interval '1 day')`,
        [company, id(company, n), `${company}/${n}`, purpose, n],
      )
    await client.query(
      "INSERT INTO town_map (company_id, origin_lat, origin_lon, file_id, file_name) VALUES ($1, 40, -76, $2, 'hills.pmtiles')",
      [company, id(company, 3)],
    )
  }
  await client.query(`INSERT INTO form_template (title, category, created_at, changed_at) VALUES ('Dog', 'Licenses', now(), now());
    INSERT INTO form_template_version (template_id, version, path, original_name, content_type, bytes, sha256, uploaded_at)
    SELECT id, v, '0/' || v, 'dog.pdf', 'application/pdf', 9, '', now() FROM form_template, generate_series(1, 2) AS v`)

  await moveOn()
  const of = (company: number) => [
    { company_id: company, kind: 'logo', nth: 1, name: 'logo.png', path: `${company}/0` },
    { company_id: company, kind: 'logo', nth: 2, name: 'logo.png', path: `${company}/1` },
    { company_id: company, kind: 'town-map', nth: 1, name: 'town-map', path: `${company}/2` },
    { company_id: company, kind: 'town-map', nth: 2, name: 'hills.pmtiles', path: `${company}/3` },
  ]
  const form = { company_id: 0, kind: 'form', name: 'dog.pdf' }
  const kept = await client.query('SELECT company_id, kind, nth, name, path FROM attachment ORDER BY 1, 2, 3')
  expect(kept.rows).toEqual([{ ...form, nth: 1, path: '0/1' }, { ...form, nth: 2, path: '0/2' }, ...of(7), ...of(8)])
  const shown = await client.query('SELECT company_id, file_id FROM town_map ORDER BY 1')
  expect(shown.rows).toEqual([7, 8].map((company) => ({ company_id: company, file_id: id(company, 3) })))
  await expect(client.query('UPDATE town_map SET file_id = gen_random_uuid()')).rejects.toThrow('foreign key')
  expect(await catalogFaults(owner)).toEqual([])
  client.release()
})
