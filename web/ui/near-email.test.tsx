// @vitest-environment happy-dom
import { setupI18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { act, type ReactNode, useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import * as z from 'zod/mini'
import { FieldInput } from '../fields/FieldInput.tsx'
import { NativeChoice, SurroundingsContext, uploadNothing } from '../fields/surroundings.tsx'
import { Form } from './Form.tsx'
import { useZodForm } from './form.ts'
import { EmailField, TextField } from './TextField.tsx'

let page: Root | undefined
const sent: unknown[] = []
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(async () => {
  await act(async () => page?.unmount())
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

async function show(content: ReactNode): Promise<(text: string) => Promise<void>> {
  ;(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true
  document.body.innerHTML = '<div id="root"></div>'
  const drawn = createRoot(document.getElementById('root') as HTMLElement)
  page = drawn
  const i18n = setupI18n({ locale: 'en', messages: { en: {} } })
  await act(async () => drawn.render(<I18nProvider i18n={i18n}>{content}</I18nProvider>))
  return async (text) => {
    const input = document.querySelector('input') as HTMLInputElement
    await act(async () => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
      input.dispatchEvent(new Event('input', { bubbles: true }))
    })
    await act(async () => {
      vi.advanceTimersByTime(1000)
      // The page loads it only now.
      await import('../../shared/near-email.ts')
    })
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
  await act(async () => {
    vi.advanceTimersByTime(1000)
    // The page loads it only now.
    await import('../../shared/near-email.ts')
  })
  expect(document.body.textContent).not.toContain('Did you mean')
})

it('suggests nothing for other texts', async () => {
  const type = await show(<TextField label="Name" />)
  await type('ida@gmial.com')
  expect(document.body.textContent).not.toContain('Did you mean')
})
