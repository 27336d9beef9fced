// @vitest-environment happy-dom
import { act, type ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import * as z from 'zod/mini'
import { noLocation, type LocationValue, locationValue } from '../../shared/places.ts'
import { Form } from '../ui/Form.tsx'
import { useZodForm } from '../ui/form.ts'
import { closePage, showPage } from '../ui/test/page.tsx'
import { LocationField } from './LocationField.tsx'

const CHOOSE = 'Choose an address from the list.'
const rules = z.object({
  location: locationValue.check(z.refine(({ addressId }) => addressId !== null, { error: CHOOSE, path: [] })),
})
const address = { id: 7, text: '214 Sycamore Lane, Maple Grove, PA 17011', lat: 40.2, lon: -77, metres: { x: 1, y: 2 } }

let sent: LocationValue[] = []
let pendingResponses: (() => void)[] = []
beforeEach(() => {
  sent = []
  pendingResponses = []
  vi.stubGlobal('fetch', async (_url: string, { body }: { body: string }) => {
    await new Promise<void>((resolve) => pendingResponses.push(resolve))
    const { search } = JSON.parse(body) as { search: string }
    const isMeant = search === '214 Sycamore Lane'
    return Response.json({ success: true, matches: isMeant ? [{ ...address, isMeant }] : [] })
  })
})
afterEach(async () => {
  await closePage()
  vi.unstubAllGlobals()
})

/** Renders a form with the text in its address field. Presses the submit button before any search has a result. */
async function typeAndSubmit(text: string, clicks = 1): Promise<HTMLElement> {
  const Page = (): ReactNode => {
    const form = useZodForm(rules, { defaultValues: { location: { ...noLocation, text } } })
    return (
      <Form form={form} onSubmit={({ location }) => void sent.push(location)}>
        <LocationField label="Address" {...form.choice('location')} />
        <button type="submit">Continue</button>
      </Form>
    )
  }
  const root = await showPage(<Page />)
  for (let n = 0; n < clicks; n++) await act(async () => root.querySelector<HTMLElement>('[type=submit]')?.click())
  expect(sent).toEqual([])
  await act(async () => {
    for (const resolve of pendingResponses.splice(0)) resolve()
    await new Promise<void>((done) => requestAnimationFrame(() => done()))
  })
  await act(() => new Promise<void>((done) => requestAnimationFrame(() => done())))
  return root
}

describe('a press right after an address was typed', () => {
  it('sends the intended address', async () => {
    await typeAndSubmit('214 Sycamore Lane')
    expect(sent).toEqual([expect.objectContaining({ addressId: 7, text: address.text })])
  })

  it('sends it once if it is pressed twice', async () => {
    await typeAndSubmit('214 Sycamore Lane', 2)
    expect(sent).toHaveLength(1)
  })

  it('shows the error of an unknown address and gives it the focus', async () => {
    const root = await typeAndSubmit('nowhere at all')
    expect(sent).toEqual([])
    expect(root.textContent).toContain(CHOOSE)
    expect(document.activeElement?.getAttribute('aria-invalid')).toBe('true')
  })
})
