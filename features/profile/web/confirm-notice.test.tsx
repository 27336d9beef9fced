// @vitest-environment happy-dom
import { setupI18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, expect, it, vi } from 'vitest'
import { currentSession, forgetSession, rememberSignIn } from '../../../web/session.ts'
import ConfirmNotice from './ConfirmNotice.tsx'

let page: Root | undefined
afterEach(async () => {
  await act(async () => page?.unmount())
  vi.unstubAllGlobals()
  forgetSession()
})

it('leaves when the resident has confirmed the email on another device', async () => {
  ;(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true
  let confirmed = false
  vi.stubGlobal('fetch', async () => Response.json({ user: { email_confirmed: confirmed } }))
  rememberSignIn({
    token: 'secret',
    user: {
      id: 7,
      company_id: 3,
      first_name: 'Ida',
      last_name: 'Moss',
      email: 'ida@example.org',
      role_id: 1,
      email_confirmed: false,
    },
    privileges: {},
    expire_time: '2026-11-22T00:00:00.000Z',
  })
  document.body.innerHTML = '<div id="root"></div>'
  const drawn = createRoot(document.getElementById('root') as HTMLElement)
  page = drawn
  await act(async () =>
    drawn.render(
      <I18nProvider i18n={setupI18n({ locale: 'en', messages: { en: {} } })}>
        <ConfirmNotice />
      </I18nProvider>,
    ),
  )
  expect(currentSession()?.emailUnconfirmed).toBe(true)
  confirmed = true
  await act(async () => document.dispatchEvent(new Event('visibilitychange')))
  await vi.waitFor(() => expect(currentSession()?.emailUnconfirmed).toBe(false))
})
