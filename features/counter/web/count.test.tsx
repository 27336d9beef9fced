// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { page } from '../../../web/page.ts'
import { closePage, showPage, typeInto } from '../../../web/ui/test/page.tsx'
import type { Sheet } from '../contract.ts'
import { CountForm } from './CountForm.tsx'
import { DaySheet } from './DaySheet.tsx'

afterEach(async () => {
  await closePage()
  vi.unstubAllGlobals()
  sessionStorage.clear()
})

const inputOf = (label: string) =>
  document.getElementById(
    [...document.querySelectorAll('label')].find(({ textContent }) => textContent === label)?.htmlFor ?? '',
  ) as HTMLInputElement
const type = (label: string, text: string) => typeInto(inputOf(label), text)
const submitForm = () => act(async () => document.querySelector<HTMLElement>('[type=submit]')?.click())

it('keeps a count over a closed dialog until it is accepted', async () => {
  const counted = vi.fn(async () => {})
  const form = <CountForm hasNote draft="count" submit="Close" busyLabel="Closing" onCount={counted} />
  await showPage(form)
  await type('$20', '4')
  await closePage()
  await showPage(form)
  expect(inputOf('$20').value).toBe('4')
  await submitForm()
  expect(counted).toHaveBeenCalledWith({ 2000: 4 }, '')
  await closePage()
  await showPage(form)
  expect(inputOf('$20').value).toBe('')
})

it('names the limit of a count', async () => {
  await showPage(<CountForm draft="count" submit="Open" busyLabel="Opening" onCount={async () => {}} />)
  await type('$20', 'x')
  await type('$10', '9999999')
  await submitForm()
  expect(document.body.textContent).toContain('Enter a whole number.')
  expect(document.body.textContent).toContain('Enter up to 6 digits.')
})

it('prints the town and the expected cash on a day sheet', async () => {
  const drawer: Sheet = {
    id: 7,
    status: 'closed',
    cashier: 'Noah Pearce',
    note: '',
    payments: [],
    laterVoids: [],
    since: [],
    openedAt: '2026-06-01T12:00:00.000Z',
    closedAt: '2026-06-01T20:00:00.000Z',
    corrections: [],
    openingCents: 100_00,
    closingCents: 80_00,
    closingCounts: { 2000: 4 },
    expectedCents: 100_00,
  }
  vi.stubGlobal('fetch', async () => Response.json({ drawer, mayCorrect: false }))
  await showPage(<DaySheet id={7} onClose={() => {}} />)
  await act(() => vi.waitFor(() => expect(document.body.textContent).toContain('Noah Pearce')))
  const printed = document.querySelector('.prints-alone')?.textContent
  for (const text of [page().siteName, 'Expected cash$100.00', 'No payments in this drawer.', '$20.00 short'])
    expect(printed).toContain(text)
})
