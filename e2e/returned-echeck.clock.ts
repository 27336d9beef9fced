import { expect, gateway, test } from './fixtures.ts'
import { expectGood } from './looks.ts'
import { bankAccounts, expectOutcome, expectPaid, fillBank, fillCard, findBill, pay, paymentsOf } from './pay.ts'

const DAY = 86_400

test('eChecks after days: one that the bank refuses is owed again, one that it pays becomes a receipt', async ({
  page,
  context,
  account,
  accessible,
}) => {
  const refused = page
  await findBill(refused, account)
  await fillBank(refused, bankAccounts.refused)
  await pay(refused)
  await expectOutcome(refused, 'Your eCheck of $150.81 is on its way')
  const returned = await context.newPage()
  const second = String(Number(account) + 1)
  await findBill(returned, second)
  await fillBank(returned, bankAccounts.returned)
  await pay(returned)
  await expectOutcome(returned, 'Your eCheck of $150.81 is on its way')

  await gateway('POST', 'clock', { advance_seconds: 2 * DAY })
  await gateway('POST', 'flush')
  await refused.reload()
  const outcome = await expectOutcome(refused, 'Your payment did not go through')
  await expect(outcome).toContainText('The bank refused the eCheck (R01). No money was taken.')
  await returned.reload()
  await expectPaid(returned)
  expect(await paymentsOf(second)).toEqual(['Successful $150.81'])

  await gateway('POST', 'clock', { advance_seconds: 4 * DAY })
  await gateway('POST', 'flush')
  await expect(async () => {
    await returned.reload()
    await expect(returned.getByRole('heading', { name: 'Your bank returned this eCheck' })).toBeVisible({
      timeout: 1000,
    })
  }).toPass()
  await expect(returned.getByText('The amount is owed again.')).toBeVisible()
  await expectGood(returned, accessible, 'a returned eCheck')
  await returned.getByRole('button', { name: 'Pay by card' }).click()
  await expect(returned.getByRole('region', { name: 'Utility bill' })).toContainText('Amount owed$149.31')
  await fillCard(returned)
  await pay(returned)
  await expectPaid(returned)
  expect(await paymentsOf(second)).toEqual(['Successful $153.72', 'Declined $150.81'])
})
