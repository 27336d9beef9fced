import { alertEditor, type AlertForm, submitAlert, writeAlert } from '../features/alerts/contract-desk.ts'
import { stopCalls } from '../features/alerts/contract-calls.ts'
import { sandboxCalls } from '../features/outbox/list.ts'
import { callOn, openAs, sessionOf } from './calls.ts'
import { expect, PHONE, tabTo, test, unique } from './fixtures.ts'

const TOWN = 'harborcity'
const RESIDENT = 'resident@harborcity.example'
const SUPER = 'super@mainstreet.example'

/** What the newest call to a phone said that says so, once it was answered. */
async function heardBy(phone: string, says: RegExp): Promise<string> {
  const { token } = await sessionOf('admin', SUPER)
  let said = ''
  await expect
    .poll(
      async () => {
        const { rows } = await callOn('admin', sandboxCalls.call, { search: phone.replaceAll(/\D/g, '') }, token)
        said = rows.find((row) => row.status === 'completed' && says.test(row.said))?.said ?? ''
        return said
      },
      { timeout: 30_000 },
    )
    .not.toBe('')
  return said
}

test('a resident adds a phone for calls by the keyboard on a small screen, chooses calls, and the phone hears an alert', async ({
  page,
  accessible,
}) => {
  test.slow()
  const phone = `717-555-${String(1000 + (Date.now() % 8000))}`
  const resident = await sessionOf(TOWN, RESIDENT)
  await callOn(TOWN, stopCalls, {}, resident.token)
  await page.setViewportSize(PHONE)
  await openAs(page, TOWN, RESIDENT, '/alerts?choose=1')
  const { keyboard } = page
  const panel = page.getByRole('region', { name: 'Calls to your phone' })
  await tabTo(page, panel.getByLabel('Phone for calls'))
  await keyboard.press('Control+a')
  await keyboard.type(phone)
  await tabTo(page, panel.getByRole('button', { name: 'Call me with a code' }))
  await keyboard.press('Enter')
  await expect(panel.getByText('To be called, agree to it.').first()).toBeVisible()
  await accessible(page, 'calls that were not agreed to')
  const agrees = panel.getByLabel(/automatic voice when it alerts me/)
  await agrees.focus()
  await keyboard.press('Space')
  await tabTo(page, panel.getByRole('button', { name: 'Call me with a code' }))
  await keyboard.press('Enter')
  const field = panel.getByLabel('The code of the call')
  await expect(field).toBeVisible()
  await accessible(page, 'a code that a call says')
  const code = ((await heardBy(phone, /Your code is/)).match(/\d/g) ?? []).slice(-6).join('')
  await tabTo(page, field)
  await keyboard.type(code)
  await keyboard.press('Enter')
  await expect(panel.getByText(/^On, to/)).toBeVisible()
  await accessible(page, 'calls that are on')
  // A town's first service is of emergencies, of which everybody is called who did not say no.
  const calls = page.getByLabel('Call', { exact: true }).first()
  if (!(await calls.isChecked())) {
    await tabTo(page, calls)
    await keyboard.press('Space')
  }
  await tabTo(page, page.getByRole('button', { name: 'Save', exact: true }))
  await keyboard.press('Enter')
  await expect(page.getByText('Your choice is saved.')).toBeVisible()

  const headline = `Shelter in place ${unique()}`
  const { token } = await sessionOf(TOWN, 'admin@harborcity.example')
  const { services } = await callOn(TOWN, alertEditor, {}, token)
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
  const { alertId } = await callOn(TOWN, writeAlert, { form }, token)
  const desk = await page.context().newPage()
  await openAs(desk, TOWN, 'admin@harborcity.example', `/municipality/manage/alerts?alert=${alertId}`)
  const slide = desk.getByRole('dialog', { name: headline })
  await expect(slide.getByText(/said twice, about \d+ seconds/)).toBeVisible()
  await accessible(desk, 'an alert as a call says it')
  await callOn(TOWN, submitAlert, { alertId, people: 100_000 }, token)
  expect(await heardBy(phone, new RegExp(headline))).toMatch(
    /^This is an alert from Harbor.*Close windows & doors\. A tank at the harbor leaks\.$/,
  )
  await callOn(TOWN, stopCalls, {}, resident.token)
  await desk.close()
})

test('what phones of the sandbox heard is read in the outbox @whole', async ({ page, accessible }) => {
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
