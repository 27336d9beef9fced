import type * as z from 'zod/mini'
import { addResource, bookByPhone, rental, resourceForm, showResource } from '../features/rentals/contract.ts'
import { publishRentalFields, saveRentalFields } from '../features/rental-access/contract-agreements.ts'
import { blankField, blankStep, whenAll } from '../shared/fields/blank.ts'
import { callOn, newResident, sessionOf } from './calls.ts'
import { unique } from './fixtures.ts'

const HOST = 'maplegrove'
const ADMIN = 'admin@maplegrove.example'
const questions = {
  steps: [
    {
      ...blankStep('event'),
      title: 'Your event',
      fields: [
        {
          ...blankField('choice', 'alcohol'),
          ...{ label: 'Will there be alcohol?', required: true },
        },
        {
          ...blankField('text', 'server'),
          ...{ label: 'Who serves it?', required: true, showWhen: whenAll({ '==': [{ var: 'alcohol' }, 'yes'] }) },
        },
      ],
    },
    {
      ...blankStep('agreement'),
      title: 'Agreement',
      fields: [
        { ...blankField('reading', 'terms'), label: 'What you agree to', text: 'I leave it as I found it.' },
        { ...blankField('signature', 'signature'), label: 'Your signature', required: true },
      ],
    },
  ],
}

/**
 * Creates a hall that no other test uses, for events of two hours each day.
 * @param opens start of the events, as HH:MM. They end two hours later
 * @param own values that differ from those of a free hall
 */
export async function addHall(opens: string, own: Partial<z.input<typeof resourceForm>>) {
  const { token: admin } = await sessionOf(HOST, ADMIN)
  const closes = `${Number(opens.slice(0, 2)) + 2}:00`
  const everyDay = { from: '01-01', until: '12-31', days: [1, 2, 3, 4, 5, 6, 7], opens, closes, percent: 100 }
  const name = `Hall ${unique()}`
  const form = resourceForm.parse({
    ...{ name, kind: 'hall', status: 'open', description: 'A hall for all.', location: 'Main Street' },
    ...{
      resourceRules: '',
      amenities: '',
      accessibility: '',
      capacity: 100,
      pieces: 1,
      needsApproval: false,
      door: '',
    },
    ...{ seasons: [everyDay], closedOnHolidays: false, stepMinutes: 60, minMinutes: 60, maxMinutes: 120 },
    ...{ noticeHours: 0, aheadDays: 90, beforeMinutes: 0, afterMinutes: 0, chargedBy: 'hour', residentCents: 0 },
    ...{ otherCents: 0, depositCents: 0, addons: [], refundDays: 7, latePercent: 0, agreement: '', glAccount: '400' },
    ...own,
  })
  const { resourceId } = await callOn(HOST, addResource, form, admin)
  return { name, resourceId, admin }
}

/**
 * Creates a hall that no other test uses. It has questions and an agreement. It accepts series of up to six dates, with
 * approval.
 */
export async function createHall() {
  const { resourceId, admin } = await addHall('18:00', { seriesDates: 6, seriesApproval: true })
  await callOn(HOST, saveRentalFields, { resourceId, definition: questions }, admin)
  await callOn(HOST, publishRentalFields, { resourceId, definition: questions }, admin)
  const { spaces } = await callOn(HOST, showResource, { resourceId }, admin)
  const { token } = await sessionOf(HOST, await newResident(HOST))
  const { today } = await callOn(HOST, rental, { resourceId }, token)
  const byPhone = (email: string, day: string) =>
    callOn(
      HOST,
      bookByPhone,
      {
        ...{
          resourceId,
          spaceId: spaces[0]?.id ?? 0,
          pieces: 1,
          day,
          from: '18:00',
          until: '20:00',
          name: 'Ann Caller',
        },
        ...{ email, phone: '', purpose: 'Garden club', guests: 12, isResident: true },
      },
      admin,
    )
  return { resourceId, today, byPhone }
}
