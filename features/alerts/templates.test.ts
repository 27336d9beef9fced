import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { openTestCompany } from '../../test/company.ts'
import { testPortal } from '../../test/harness.ts'
import { serviceFor, textEntries } from './server/pack.ts'
import { blanksOf, fillBlanks } from './rules-blanks.ts'

const HOST = 'maplegrove.localhost'
const portal = await testPortal()
let token = ''

beforeAll(async () => {
  await openTestCompany(portal, mapleGrove)
  token = await portal.signIn(HOST, 'admin@maplegrove.example')
})

const callApi = (path: string, body: object = {}) =>
  portal.post(HOST, path, body, { token, headers: { 'idempotency-key': randomUUID() } })

const services = [
  { id: 1, type: 1, name: 'Emergencies' },
  { id: 2, type: 2, name: 'Road closures' },
  { id: 3, type: 2, name: 'Water and sewer' },
  { id: 4, type: 2, name: 'Trash and recycling' },
  { id: 5, type: 2, name: 'Community events' },
]
const emergencies = services.slice(0, 1)
const each = textEntries().map((entry) => [entry.name.en, entry] as const)

describe('the template of an alert', () => {
  it.each([
    ['Road closed', 'Road closures'],
    ['Community news', 'Community events'],
    ['Trash pickup delayed', 'Trash and recycling'],
    ['Water shutoff for repairs', 'Water and sewer'],
  ])('sets the service that its subscribers chose: %s', (name, service) => {
    const entry = each.find(([own]) => own === name)?.[1]
    expect(entry && serviceFor(entry, services)?.name).toBe(service)
  })

  it.each(each)('never takes the service of another template: %s', (_name, entry) => {
    const service = serviceFor(entry, services)?.name
    const isItsOwn = service !== undefined && new RegExp(entry.service.match.join('|'), 'i').test(service)
    const isForEveryone = service === 'Emergencies' && entry.service.type === 1
    expect(service === undefined || isItsOwn || isForEveryone).toBe(true)
  })

  it.each(each)('reaches everyone only if it is an emergency: %s', (_name, entry) =>
    expect(serviceFor(entry, emergencies)?.name === 'Emergencies').toBe(entry.service.type === 1),
  )

  it.each(each)('asks each blank once for both languages: %s', (_name, entry) => {
    const blanks = blanksOf(entry)
    expect(blanks.every(({ en, es }) => en !== '' && es !== '')).toBe(true)
    const filled = fillBlanks(
      entry,
      blanks,
      blanks.map(({ en }) => `the ${en}`),
    )
    expect(blanksOf(filled)).toEqual([])
    for (const { en } of blanks)
      for (const language of ['en', 'es'] as const)
        expect(Object.values(filled[language]).join(' ').toLowerCase()).toContain(`the ${en}`)
  })

  it('is written, changed and removed by staff', async () => {
    const text = { headline: 'Water is off', description: 'At [place].', instruction: '' }
    const form = {
      ...{ name: 'Water is off', serviceId: '', event: 'Water shutoff', category: 'Infra', severity: 'Minor' },
      ...{ urgency: 'Expected', certainty: 'Likely', en: text },
      es: { headline: '', description: '', instruction: '' },
    }
    const { body } = await callApi('muni/save/alert/template', { ...form, templateId: null })
    expect(body.message).toBe('“Water is off” added.')
    const twice = await callApi('muni/save/alert/template', { ...form, templateId: null })
    expect([twice.status, JSON.stringify(twice.body)]).toEqual([
      422,
      expect.stringContaining('A template with this name already exists.'),
    ])
    const strange = await callApi('muni/save/alert/template', {
      ...form,
      name: 'Other',
      serviceId: '77',
      templateId: null,
    })
    expect(strange.status).toBe(422)
    await callApi('muni/save/alert/template', { ...form, name: 'No water', templateId: body.templateId })
    expect((await callApi('muni/return/alert/editor')).body.templates).toEqual([
      { id: body.templateId, form: { ...form, name: 'No water' } },
    ])
    expect((await callApi('muni/remove/alert/template', { templateId: body.templateId })).status).toBe(200)
    expect((await callApi('muni/return/alert/editor')).body.templates).toEqual([])
  })
})
