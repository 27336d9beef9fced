import { sandboxTexts } from '../features/outbox/list.ts'
import { sendRequest, supportCase } from '../features/support/contract.ts'
import { requestList } from '../features/support/list.ts'
import { saveConfig } from '../features/town-config/contract.ts'
import { optOutOfTexts } from '../features/profile/contract.ts'
import { callOn, openAs, sessionOf } from './calls.ts'
import { expect, test } from './fixtures.ts'
import { openMore } from './more.ts'
import { expectGood } from './screen-checks.ts'

const SUPER = 'super@mainstreet.example'
const RESIDENT = 'resident@harborcity.example'

/** Waits for a matching text message to a phone. Returns the text of the newest one. */
async function textTo(phone: string, pattern: RegExp): Promise<string> {
  const { token } = await sessionOf('admin', SUPER)
  let body = ''
  await expect
    .poll(async () => {
      const { rows } = await callOn('admin', sandboxTexts.call, { search: phone.replaceAll(/\D/g, '') }, token)
      body = rows.find((row) => row.direction === 'to phone' && pattern.test(row.body))?.body ?? ''
      return body
    })
    .not.toBe('')
  return body
}

test('turns texts on, answers STOP and START and turns them off @whole', async ({ page, accessible }) => {
  test.slow()
  const phone = `(717) 555-${String(1000 + (Date.now() % 8000))}`
  const admin = await sessionOf('admin', SUPER)
  const resident = await sessionOf('harborcity', RESIDENT)
  await callOn('harborcity', optOutOfTexts, {}, resident.token)
  const companyId = resident.user.company_id ?? 0
  // Disables quiet hours, so that no text message waits until morning.
  const values = {
    ...{ texts_payments: 1, texts_conversations: 1, quiet_from: '00:00', quiet_to: '00:00' },
    ...{ sms_name: 'Harbor', sms_number: '' },
  }
  await callOn('admin', saveConfig, { companyId, section: 'texts', values }, admin.token)

  await openAs(page, 'harborcity', RESIDENT, '/profile/settings')
  const panel = page.getByRole('region', { name: 'Text messages' })
  await panel.getByLabel('Mobile phone for texts').fill('717')
  await panel.getByRole('button', { name: 'Send me a code' }).press('Enter')
  await expect(panel.getByText('Enter a 10-digit mobile phone number.').first()).toBeVisible()
  await expect(panel.getByText('To receive texts, you must agree.').first()).toBeVisible()
  await expectGood(page, accessible, 'texts that were not agreed to')
  await panel.getByLabel('Mobile phone for texts').fill(phone)
  await panel.getByLabel(/Msg & data rates may apply\. Reply STOP to end, HELP for help\./).press('Space')
  await panel.getByRole('button', { name: 'Send me a code' }).press('Enter')
  const code = /code is (\d{6})/.exec(await textTo(phone, /code is/))?.[1] ?? ''
  const field = panel.getByLabel('Code from the text message')
  await field.fill(code === '000000' ? '111111' : '000000')
  await field.press('Enter')
  await expect(panel.getByText(/This is not the code from our last text/).first()).toBeVisible()
  await expectGood(page, accessible, 'a code that is wrong')
  await field.fill(code)
  await field.press('Enter')
  await expect(panel.getByText(`Turned on for ${phone}.`)).toBeVisible()
  await expectGood(page, accessible, 'texts that are on')

  const supportRequest = { name: 'Rosa Marsh', email: 'rosa@example.org', phone: '', category: 'site' as const }
  const { number } = await callOn(
    'harborcity',
    sendRequest,
    { ...supportRequest, message: 'The page is slow.' },
    resident.token,
  )
  const [request] = (await callOn('admin', requestList.call, { search: number }, admin.token)).rows
  const of = { companyId, subjectId: request?.id ?? 0 }
  await callOn('admin', supportCase.reply, { ...of, message: 'It is mended.', seen: 0 }, admin.token)
  expect(await textTo(phone, /replied/)).toBe(
    `Harbor: we replied to your request ${number}. The reply is in your email.`,
  )

  const office = await page.context().newPage()
  await openAs(office, 'admin', SUPER, `/admin/outbox/texts?search=${phone.slice(-4)}`)
  await office
    .getByRole('button', { name: /^View the text/ })
    .first()
    .click()
  const slide = office.getByRole('dialog')
  await slide.getByLabel('Text', { exact: true }).fill('STOP')
  await expectGood(office, accessible, 'a text of the sandbox')
  await slide.getByRole('button', { name: 'Send' }).press('Enter')
  await textTo(phone, /You opted out and will get no further texts/)
  await page.reload()
  await expect(panel.getByText(/This phone replied STOP/)).toBeVisible()
  await expectGood(page, accessible, 'texts that were stopped')
  await office.close()
  await panel.getByRole('button', { name: 'Turn off texts' }).press('Enter')
  await expect(panel.getByRole('button', { name: 'Send me a code' })).toBeVisible()
})

test('shows staff masked text deliveries with failures and releases a paused number @whole', async ({
  page,
  accessible,
}) => {
  await openAs(page, 'maplegrove', 'staff@maplegrove.example', '/municipality/reports/notices?channel=text')
  const row = page.getByRole('row').filter({ hasText: 'Paused' }).first()
  await expect(row).toContainText('(***) ***-0192')
  await expect(page.getByText('The phone could not be reached.').first()).toBeVisible()
  await expectGood(page, accessible, 'notices')
  if ((await row.getByRole('button', { name: /^Release/ }).count()) === 0) await openMore(row)
  await row.getByRole('button', { name: /^Release/ }).press('Enter')
  await expect(page.getByText('Messages to (***) ***-0192 have resumed.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Release/ })).toHaveCount(0)
})
