// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { closePage, showPage, typeInto } from '../../../../web/ui/test/page.tsx'
import { LoginForm } from './LoginForm.tsx'

const order = vi.hoisted((): string[] => [])
vi.mock('../passkeys.ts', async (original) => ({
  ...(await original<object>()),
  knowsPasskeys: () => true,
  knowsAutofill: () => Promise.resolve(false),
  cancelPasskeyRequest: async () => {
    await Promise.resolve()
    order.push('the passkey question ended')
  },
}))

afterEach(async () => {
  await closePage()
  vi.unstubAllGlobals()
})

it('ends a waiting passkey question before it sends the password', async () => {
  vi.stubGlobal('fetch', async () => {
    order.push('the password was sent')
    return Response.json({ error: { code: 'wrong', message: 'No.' } }, { status: 401 })
  })
  const root = await showPage(<LoginForm email="super@mainstreet.example" again={false} onSecondStep={() => {}} />)
  await typeInto(root.querySelector('[name=password]') as HTMLInputElement, 'Maple-Grove#2026')
  await act(async () => root.querySelector<HTMLElement>('[type=submit]')?.click())
  await vi.waitFor(() => expect(order).toEqual(['the passkey question ended', 'the password was sent']))
})
