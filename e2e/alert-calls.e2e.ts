import { alertEditor, type AlertForm, submitAlert, writeAlert } from '../features/alerts/contract-staff.ts'
import { optOutOfCalls } from '../features/alerts/contract-calls.ts'
import { sandboxCalls } from '../features/outbox/list.ts'
import { callOn, openAs, sessionOf } from './calls.ts'
import { expect, PHONE, tabTo, test, unique } from './fixtures.ts'

const HOST = 'harborcity'
const RESIDENT = 'resident@harborcity.example'
const SUPER = 'super@mainstreet.example'

/** Returns the spoken text of the newest answered call to a phone. The text must match the pattern. */
async function heardBy(phone: string, pattern: RegExp): Promise<string> {
  const { token } = await sessionOf('admin', SUPER)
  let spokenText = ''
  await expect
    .poll(
      async () => {
        const { rows } = await callOn('admin', sandboxCalls.call, { search: phone.replaceAll(/\D/g, '') }, token)
        spokenText = rows.find((row) => row.status === 'completed' && pattern.test(row.text))?.text ?? ''
        return spokenText
      },
      { timeout: 30_000 },
    )
    .not.toBe('')
  return spokenText
}

test('adds a resident’s phone by keyboard and calls it for an alert', async ({ page, accessible }) => {
  test.slow()
  const phone = `717-555-${String(1000 + (Date.now() % 8000))}`
  const resident = await sessionOf(HOST, RESIDENT)
  await callOn(HOST, optOutOfCalls, {}, resident.token)
  await page.setViewportSize(PHONE)
  await openAs(page, HOST, RESIDENT, '/alerts?choose=1')
  const { keyboard } = page
  const panel = page.getByRole('region', { name: 'Phone calls' })
  await tabTo(page, panel.getByLabel('Phone number for calls'))
  await keyboard.press('Control+a')
  await keyboard.type(phone)
  await tabTo(page, panel.getByRole('button', { name: 'Call me with a code' }))
  await keyboard.press('Enter')
  await expect(panel.getByText('To receive calls, check the box to agree.').first()).toBeVisible()
  await accessible(page, 'calls that were not agreed to')
  const agrees = panel.getByLabel(/automated voice to alert me/)
  await agrees.focus()
  await keyboard.press('Space')
  await tabTo(page, panel.getByRole('button', { name: 'Call me with a code' }))
  await keyboard.press('Enter')
  const field = panel.getByLabel('Code from the phone call')
  await expect(field).toBeVisible()
  await accessible(page, 'a code that a call says')
  const code = ((await heardBy(phone, /Your code is/)).match(/\d/g) ?? []).slice(-6).join('')
  await tabTo(page, field)
  await keyboard.type(code)
  await keyboard.press('Enter')
  await expect(panel.getByText(/^Turned on for/)).toBeVisible()
  await accessible(page, 'calls that are on')
  // The first alert service of a company is for emergencies. Its calls go to everyone who has not opted out.
  const calls = page.getByLabel('Call', { exact: true }).first()
  if (!(await calls.isChecked())) {
    await tabTo(page, calls)
    await keyboard.press('Space')
  }
  await tabTo(page, page.getByRole('button', { name: 'Save', exact: true }))
  await keyboard.press('Enter')
  await expect(page.getByText('Choices saved.')).toBeVisible()

  const headline = `Shelter in place ${unique()}`
  const { token } = await sessionOf(HOST, 'admin@harborcity.example')
  const { services } = await callOn(HOST, alertEditor, {}, token)
  const nothing = { headline: '', description: '', instruction: '' }
  const form: AlertForm = {
    serviceId: String(services[0]?.id),
    event: 'Shelter',
    category: 'Safety',
    severity: 'Severe',
    urgency: 'Immediate',
    certainty: 'Observed',
    en: { headline, description: 'A tank at the harbor leaks.', instruction: 'Close windows & doors.' },
    es: nothing,
    ...{ byEmail: false, byText: false, byCall: true, onPages: false, sendAt: '', expiresAt: '2099-01-01T10:00' },
    area: { kind: 'everyone', zoneIds: [], polygons: [], routes: [], formTypeId: '' },
  }
  const { alertId } = await callOn(HOST, writeAlert, { form }, token)
  const staffPage = await page.context().newPage()
  await openAs(staffPage, HOST, 'admin@harborcity.example', `/municipality/manage/alerts?alert=${alertId}`)
  const slide = staffPage.getByRole('dialog', { name: headline })
  await expect(slide.getByText(/played twice, about \d+ seconds/)).toBeVisible()
  await accessible(staffPage, 'an alert as a call says it')
  await callOn(HOST, submitAlert, { alertId, people: 100_000 }, token)
  expect(await heardBy(phone, new RegExp(headline))).toMatch(
    /^This is an alert from Harbor.*Close windows & doors\. A tank at the harbor leaks\.$/,
  )
  await callOn(HOST, optOutOfCalls, {}, resident.token)
  await staffPage.close()
})

test('shows in the outbox the calls to sandbox phones @whole', async ({ page, accessible }) => {
  await openAs(page, 'admin', SUPER, '/admin/outbox/calls')
  await page
    .getByRole('button', { name: /^View the call/ })
    .first()
    .click()
  await expect(
    page
      .getByRole('dialog')
      .getByText(/alert from|alerta de|code is/)
      .first(),
  ).toBeVisible()
  await accessible(page, 'a call of the sandbox')
})
