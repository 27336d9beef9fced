// @vitest-environment happy-dom
import { act, type ReactNode, useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import * as z from 'zod/mini'
import { FieldInput } from '../fields/FieldInput.tsx'
import { NativeChoice, SurroundingsContext, uploadNothing } from '../fields/surroundings.tsx'
import { Form } from './Form.tsx'
import { useZodForm } from './form.ts'
import { closePage, showPage, typeInto } from './test/page.tsx'
import { EmailField, TextField } from './TextField.tsx'

const sent: unknown[] = []
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(async () => {
  await closePage()
  vi.useRealTimers()
  sent.length = 0
})

const Plain = () => {
  const form = useZodForm(z.object({ email: z.string() }), { defaultValues: { email: '' } })
  return (
    <Form form={form} onSubmit={({ email }) => void sent.push(email)}>
      <EmailField {...form.field('email')} />
      <button type="submit">Send</button>
    </Form>
  )
}
const Controlled = () => {
  const [email, setEmail] = useState<unknown>('')
  const field = { type: 'email', name: 'mail', label: 'Email', required: true } as never
  return (
    <SurroundingsContext value={{ today: '2026-06-01', upload: uploadNothing, LongChoice: NativeChoice }}>
      <FieldInput field={field} value={email} onChange={setEmail} errorAt={() => undefined} />
      <button type="button" onClick={() => sent.push(email)}>
        Send
      </button>
    </SurroundingsContext>
  )
}

/** Waits until the page has searched for a suggestion. */
const pause = () =>
  act(async () => {
    vi.advanceTimersByTime(1000)
    // Waits for the module, which the page loads on demand.
    await import('../../shared/near-email.ts')
  })

async function show(content: ReactNode): Promise<(text: string) => Promise<void>> {
  const page = await showPage(content)
  return async (text) => {
    await typeInto(page.querySelector('input') as HTMLInputElement, text)
    await pause()
  }
}
const button = (name: string) =>
  [...document.querySelectorAll('button')].find(({ textContent }) => textContent === name)

it.each([
  ['a form', <Plain key="plain" />],
  ['a field of a form builder', <Controlled key="controlled" />],
])('suggests and fills in the usual provider in %s', async (_name, content) => {
  const type = await show(content)
  await type('ida@gmial.com')
  expect(document.body.textContent).toContain('Did you mean ida@gmail.com?')
  await act(async () => button('ida@gmail.com')?.click())
  expect((document.activeElement as HTMLInputElement).value).toBe('ida@gmail.com')
  await act(async () => button('Send')?.click())
  expect(sent).toEqual(['ida@gmail.com'])
  await pause()
  expect(document.body.textContent).not.toContain('Did you mean')
})

it('suggests nothing for other texts', async () => {
  const type = await show(<TextField label="Name" />)
  await type('ida@gmial.com')
  expect(document.body.textContent).not.toContain('Did you mean')
})

it('suggests nothing without a connection', async () => {
  vi.doMock('../../shared/near-email.ts', () => {
    throw new TypeError('Failed to fetch dynamically imported module')
  })
  const page = await showPage(<Plain />)
  await typeInto(page.querySelector('input') as HTMLInputElement, 'ann@gmial.com')
  await act(() => vi.advanceTimersByTimeAsync(1000))
  expect(page.querySelector('[role=status]')?.textContent).toBe('')
  vi.doUnmock('../../shared/near-email.ts')
})
