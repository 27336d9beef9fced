import { expect, test } from 'vitest'
import { icsOf, companyOrganizer } from './ics.ts'

const organizer = companyOrganizer(
  { email: { smtpUrl: null, from: 'Mainstreet <no-reply@town.example>' } },
  { name: 'Maple "Old" Grove; PA' },
)
const event = {
  ...{ uid: 'a@b', title: 'Open\thouse, all day', description: 'One\nTwo\tThree\u0007', url: '' },
  ...{ startsAt: new Date('2026-11-20T15:00:00Z'), endsAt: new Date('2026-11-20T16:00:00Z') },
}
const lines = icsOf('Events', organizer, [event, event], new Date('2026-11-20T15:00:00Z'))
  .replaceAll('\r\n ', '')
  .split('\r\n')

test('names the organizer of each published event', () => {
  expect(lines).toContain('METHOD:PUBLISH')
  const named = 'ORGANIZER;CN="Maple Old Grove; PA":mailto:no-reply@town.example'
  expect(lines.filter((line) => line === named)).toHaveLength(2)
})

test('keeps tabs and drops other control characters', () => {
  expect(lines).toContain('SUMMARY:Open\thouse\\, all day')
  expect(lines).toContain('DESCRIPTION:One\\nTwo\tThree')
})
