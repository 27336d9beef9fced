// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { currentSession, forgetSession, rememberSignIn } from '../../../web/session.ts'
import { closePage, showPage } from '../../../web/ui/test/page.tsx'
import ConfirmNotice from './ConfirmNotice.tsx'

afterEach(async () => {
  await closePage()
  vi.unstubAllGlobals()
  forgetSession()
})

it('leaves when the resident has confirmed the email on another device', async () => {
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
  await showPage(<ConfirmNotice />)
  expect(currentSession()?.emailUnconfirmed).toBe(true)
  confirmed = true
  await act(async () => document.dispatchEvent(new Event('visibilitychange')))
  await vi.waitFor(() => expect(currentSession()?.emailUnconfirmed).toBe(false))
})
