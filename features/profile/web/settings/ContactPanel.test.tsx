// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { closePage, showPage } from '../../../../web/ui/test/page.tsx'
import { ContactPanel } from './ContactPanel.tsx'

type Profile = Parameters<typeof ContactPanel>[0]['profile']

let sent: unknown[] = []
afterEach(async () => {
  await closePage()
  vi.unstubAllGlobals()
})

async function open(profile: Partial<Profile>): Promise<HTMLElement> {
  sent = []
  vi.stubGlobal('fetch', async (_url: string, { body }: { body: string }) => {
    sent.push(JSON.parse(body))
    return Response.json({ success: true, message: '' })
  })
  const contact = { primary_contact_method: 1, active_email_alerts: 'a', active_phone_alerts: 'a', ...profile }
  return showPage(<ContactPanel profile={contact as Profile} />)
}

const phone = (root: HTMLElement) => root.querySelector<HTMLInputElement>('[name=active_phone_alerts]')

describe('alerts by phone', () => {
  it('cannot be chosen without a phone number', async () => {
    const root = await open({ mobile_no: '' })
    expect(phone(root)?.disabled).toBe(true)
    expect(phone(root)?.checked).toBe(false)
    expect(root.textContent).toContain('Enter a mobile phone number in your profile first.')
  })

  it('can be chosen with a phone number', async () => {
    const root = await open({ mobile_no: '+17175550144' })
    expect(phone(root)?.disabled).toBe(false)
    expect(phone(root)?.checked).toBe(true)
  })

  it.each(['', '+17175550144'])('do not block saving the other choices: phone "%s"', async (mobile_no) => {
    const root = await open({ mobile_no })
    await act(async () => root.querySelector<HTMLElement>('[type=submit]')?.click())
    await vi.waitFor(() => expect(sent[0]).toMatchObject({ primary_contact_method: 1, active_email_alerts: 'a' }))
  })
})
