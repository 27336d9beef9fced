import { createHash } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { isBreached } from './breaches.ts'

afterEach(() => vi.unstubAllGlobals())

const hashOf = (password: string) => createHash('sha1').update(password).digest('hex').toUpperCase()

describe('local password list', () => {
  it.each(['password1', 'Password1!', 'TRUSTNO1', '#Superman#'])('knows %s', async (password) => {
    expect(await isBreached({ breachCheck: 'list' }, password)).toBe(true)
  })
  it.each(['Maple-Grove#2026', 'Orchard-Gate#31', '!!!!!!!!'])('does not know %s', async (password) => {
    expect(await isBreached({ breachCheck: 'list' }, password)).toBe(false)
  })
})

describe('breach service', () => {
  const stubResponse = (body: string, status = 200) => {
    const fetch = vi.fn<(url: string, init: RequestInit) => Promise<Response>>(
      async () => new Response(body, { status }),
    )
    vi.stubGlobal('fetch', fetch)
    return fetch
  }

  it('receives five digits of a hash and decides the result', async () => {
    const password = 'Orchard-Gate#31'
    const fetch = stubResponse(`${'0'.repeat(35)}:3\r\n${hashOf(password).slice(5)}:12`)
    expect(await isBreached({ breachCheck: 'online' }, password)).toBe(true)
    expect(fetch.mock.calls[0]?.[0]).toBe(`https://api.pwnedpasswords.com/range/${hashOf(password).slice(0, 5)}`)
    stubResponse(`${hashOf('Password1!').slice(5)}:0`)
    expect(await isBreached({ breachCheck: 'online' }, 'Password1!')).toBe(false)
  })

  it('falls back to the local list if the service does not answer', async () => {
    stubResponse('busy', 503)
    expect(await isBreached({ breachCheck: 'online' }, 'Password1!')).toBe(true)
    vi.stubGlobal('fetch', () => Promise.reject(new DOMException('too late', 'TimeoutError')))
    expect(await isBreached({ breachCheck: 'online' }, 'Password1!')).toBe(true)
    expect(await isBreached({ breachCheck: 'online' }, 'Orchard-Gate#31')).toBe(false)
  })

  it('is not called unless the configuration enables it', async () => {
    const fetch = stubResponse('')
    await isBreached({ breachCheck: 'list' }, 'Orchard-Gate#31')
    expect(fetch).not.toHaveBeenCalled()
  })
})
