import { beforeAll, describe, expect, it } from 'vitest'
import { testPortal } from '../test/harness.ts'

/** Presets for the columns of imported files: the calls of the platform, and the imports of municipalities. */

const HOST = 'maplegrove.localhost'
const ADMIN = 'admin.localhost'
const portal = await testPortal({ demo: true })
const tokens: Record<string, string> = {}

beforeAll(async () => {
  tokens[HOST] = await portal.signIn(HOST, 'admin@maplegrove.example')
  tokens[ADMIN] = await portal.signIn(ADMIN, 'super@mainstreet.example')
})

const callApi = (host: string, path: string, body: object = {}) =>
  portal.post(host, path, body, { token: tokens[host] ?? '' })

async function upload(host: string, path: string, content: string, fields: Record<string, string>) {
  const data = new FormData()
  for (const [field, value] of Object.entries(fields)) data.append(field, value)
  data.append('file', new Blob([content]), 'file.csv')
  const sent = new Response(data)
  const { statusCode, payload } = await portal.app.inject({
    ...{ method: 'POST', url: `/api/v2/${path}`, payload: Buffer.from(await sent.arrayBuffer()) },
    headers: { host, authorization: `Bearer ${tokens[host]}`, 'content-type': sent.headers.get('content-type') ?? '' },
  })
  return { status: statusCode, body: JSON.parse(payload) }
}

const addPreset = (name: string, kind: string, header: string, columns?: string[]) =>
  upload(ADMIN, 'admin/add/import/preset', `${header}\n`, {
    ...{ name, kind, mode: columns ? 'save' : 'read' },
    ...(columns && { columns: JSON.stringify({ columns, values: {} }) }),
  })
const presets = async () => (await callApi(ADMIN, 'admin/return/import/presets')).body.rows
const hydrants = (content: string, columns = '') =>
  upload(HOST, 'muni/import/hydrants', content, { mode: 'preview', columns })

describe('presets of the platform', () => {
  it('are added, renamed and removed, with audit entries', async () => {
    const read = await addPreset('Hydro 1', 'hydrants', 'Number,Brand')
    expect(read).toMatchObject({ status: 200, body: { message: '' } })
    expect(read.body.columns.headers.map(({ to }: { to: string }) => to)).toEqual(['number', 'make'])
    const added = await addPreset('Hydro 1', 'hydrants', 'Number,Brand', ['number', ''])
    expect(added.body.message).toBe('Preset Hydro 1 added.')
    const preset = (await presets()).find(({ name }: { name: string }) => name === 'Hydro 1')
    expect(preset).toMatchObject({
      ...{ name: 'Hydro 1', kind: 'hydrants', used: 1 },
      columns: [
        { name: 'Number', to: 'Hydrant number' },
        { name: 'Brand', to: '' },
      ],
    })
    const renamed = await callApi(ADMIN, 'admin/rename/import/preset', { presetId: preset.id, name: 'Hydro 2' })
    expect(renamed.body.message).toBe('Preset Hydro 2 saved.')
    expect((await callApi(ADMIN, 'admin/remove/import/preset', { presetId: preset.id })).status).toBe(200)
    expect(await presets()).not.toContainEqual(expect.objectContaining({ id: preset.id }))
    expect((await callApi(ADMIN, 'admin/remove/import/preset', { presetId: preset.id })).status).toBe(404)
    const { rows } = await portal.owner.query(
      "SELECT action FROM platform_audit_event WHERE action LIKE 'import.preset%' ORDER BY id",
    )
    expect(rows.map(({ action }) => action)).toEqual([
      'import.preset_added',
      'import.preset_renamed',
      'import.preset_removed',
    ])
  })

  it('refuse a second preset of a billing system, a preset without columns and an unreadable file', async () => {
    expect((await addPreset('Twice', 'faqs', 'Q,A', ['question', 'answer'])).status).toBe(200)
    const twice = await addPreset('twice', 'faqs', 'Q,A', ['question', 'answer'])
    expect(twice).toMatchObject({ status: 422, body: { details: { fields: { name: expect.anything() } } } })
    expect((await addPreset('Twice', 'requests', 'N', ['number'])).status).toBe(200)
    expect((await addPreset('Empty', 'faqs', 'Q,A', ['', ''])).status).toBe(422)
    expect((await addPreset('Other', 'faqs', 'Q,A', ['question'])).status).toBe(400)
    expect((await addPreset('Empty', 'faqs', '')).status).toBe(422)
  })
})

describe('import with a preset', () => {
  beforeAll(() => addPreset('Hydro 9', 'hydrants', 'Nbr X,Qq,Unused', ['number', 'make', '']))

  it('starts with its columns if the file has all of them, and asks staff to check them', async () => {
    const { body } = await hydrants('Extra,QQ,nbr x\n1,Mueller,PRE-1\n')
    expect(body.columns).toMatchObject({ preset: 'Hydro 9', isOpen: true })
    expect(body.columns.headers.map(({ to }: { to: string }) => to)).toEqual(['', 'make', 'number'])
    expect((await hydrants('Extra,nbr x\n1,PRE-1\n')).body.columns.preset).toBeUndefined()
  })

  it('uses the columns that the municipality chose the last time', async () => {
    const file = 'Nbr X,Qq,Unused\nPRE-2,Mueller,Old\n'
    expect((await hydrants(file)).body.columns).toMatchObject({ preset: 'Hydro 9', isOpen: true })
    const columns = JSON.stringify({ columns: ['number', '', 'notes'], values: {} })
    const chosen = await hydrants(file, columns)
    const imported = await upload(HOST, 'muni/import/hydrants', file, {
      ...{ mode: 'import', columns, digest: chosen.body.digest },
    })
    expect(imported.body).toMatchObject({ imported: true })
    const { body } = await hydrants(file)
    expect(body.columns).toMatchObject({ isOpen: false })
    expect(body.columns.preset).toBeUndefined()
    expect(body.columns.headers.map(({ to }: { to: string }) => to)).toEqual(['number', '', 'notes'])
  })

  it('prefers the preset with the same column names', async () => {
    await addPreset('Same names', 'hydrants', 'Nbr X,Qq', ['number', 'model'])
    expect((await hydrants('Nbr X,Qq\nPRE-3,A\n')).body.columns.preset).toBe('Same names')
    expect((await hydrants('Qq,Nbr X,Unused,More\nA,PRE-3,,\n')).body.columns.preset).toBe('Hydro 9')
  })

  it('needs no check of the columns if they are certain anyway', async () => {
    await addPreset('Exact', 'hydrants', 'number,make', ['number', 'make'])
    const { body } = await hydrants('number,make\nPRE-4,A\n')
    expect(body.columns.isOpen).toBe(false)
    expect(body.columns.preset).toBeUndefined()
  })

  it('names the billing system of a billing file', async () => {
    const header = ['Zz1', 'Zz2', 'Zz3']
    await addPreset('Biller', 'bills', header.join(','), ['account_number', 'customer_name', 'bill_number'])
    const { body } = await upload(HOST, 'muni/preview/bills', `${header.join(',')}\nA,B,C\n`, {})
    await portal.runJobs()
    const file = await callApi(HOST, 'muni/return/billing/file', { fileId: body.fileId })
    expect(file.body).toMatchObject({ state: 'mapping', columns: { preset: 'Biller' } })
  })
})
