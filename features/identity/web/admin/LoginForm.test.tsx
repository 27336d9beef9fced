// @vitest-environment happy-dom
import { setupI18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, expect, it, vi } from 'vitest'
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

let page: Root | undefined
afterEach(async () => {
  await act(async () => page?.unmount())
  vi.unstubAllGlobals()
})

it('ends a waiting passkey question before it sends the password', async () => {
  ;(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true
  vi.stubGlobal('fetch', async () => {
    order.push('the password was sent')
    return Response.json({ error: { code: 'wrong', message: 'No.' } }, { status: 401 })
  })
  document.body.innerHTML = '<div id="root"></div>'
  const root = document.getElementById('root') as HTMLElement
  const drawn = createRoot(root)
  page = drawn
  const i18n = setupI18n({ locale: 'en', messages: { en: {} } })
  await act(async () =>
    drawn.render(
      <I18nProvider i18n={i18n}>
        <LoginForm email="super@mainstreet.example" again={false} onSecondStep={() => {}} />
      </I18nProvider>,
    ),
  )
  const password = root.querySelector<HTMLInputElement>('[name=password]')
  await act(async () => {
    if (!password) return
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(password, 'Maple-Grove#2026')
    password.dispatchEvent(new Event('input', { bubbles: true }))
  })
  await act(async () => root.querySelector<HTMLElement>('[type=submit]')?.click())
  await vi.waitFor(() => expect(order).toEqual(['the passkey question ended', 'the password was sent']))
})
