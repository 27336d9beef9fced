import { describe, expect, it } from 'vitest'
import { serviceOf, templates } from './templates.ts'

const services = [
  { id: 1, type: 1, name: 'Emergencies' },
  { id: 2, type: 2, name: 'Road closures' },
  { id: 3, type: 2, name: 'Water and sewer' },
  { id: 4, type: 2, name: 'Trash and recycling' },
  { id: 5, type: 2, name: 'Community events' },
]
const emergencies = services.slice(0, 1)
const each = Object.entries(templates)
type Template = (typeof each)[number][1]
const chosen = (template: Template, among = services) =>
  among.find(({ id }) => String(id) === serviceOf(template, among))?.name

describe('the template of an alert', () => {
  it.each([
    ['road', 'Road closures'],
    ['event', 'Community events'],
  ])('sets the service that its subscribers chose: %s', (name, service) => {
    const match = each.find(([key]) => key === name)
    expect(match && chosen(match[1])).toBe(service)
  })

  it.each(each)('never leaves the service of another template: %s', (_name, template) => {
    const service = chosen(template)
    const isItsOwn = service !== undefined && template.service.pattern.test(service)
    const isForEveryone = service === 'Emergencies' && template.service.orEmergency
    expect(service === undefined || isItsOwn || isForEveryone).toBe(true)
  })

  it.each(each)('reaches everyone only if it is an emergency: %s', (_name, template) =>
    expect(chosen(template, emergencies) === 'Emergencies').toBe(template.service.orEmergency),
  )
})
