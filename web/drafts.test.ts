import { beforeEach, expect, it, vi } from 'vitest'
import type * as Drafts from './drafts.ts'
import type * as Sessions from './session.ts'

/** A tab's storage, with keys as its own properties as in a browser. */
class Tab {
  [key: string]: unknown
  getItem(key: string) {
    return Object.hasOwn(this, key) ? (this[key] as string) : null
  }
  setItem(key: string, value: string) {
    this[key] = value
  }
  removeItem(key: string) {
    delete this[key]
  }
}

beforeEach(() => vi.resetModules())

const open = async () => {
  vi.stubGlobal('sessionStorage', new Tab())
  return { ...((await import('./drafts.ts')) as typeof Drafts), ...((await import('./session.ts')) as typeof Sessions) }
}
const person = (id: number) => ({
  token: `token ${id}`,
  user: { id, company_id: 3, first_name: 'Ann', last_name: 'Lee', email: 'ann@example.org', role_id: 1 },
  privileges: {},
  expire_time: '2026-11-22T00:00:00.000Z',
})

it('restores a draft after the session, only for its writer', async () => {
  const { writeDraft, readDraft, rememberSignIn, expireSession } = await open()
  rememberSignIn(person(7))
  writeDraft('form', { city: 'Elm Fork' })
  expireSession()
  expect(readDraft('form')).toBeNull()
  rememberSignIn(person(7))
  expect(readDraft('form')).toEqual({ city: 'Elm Fork' })
})

it('shows another signed-in person no draft and leaves none', async () => {
  const { writeDraft, readDraft, rememberSignIn, expireSession } = await open()
  rememberSignIn(person(7))
  writeDraft('form', { city: 'Elm Fork' })
  expireSession()
  rememberSignIn(person(17))
  expect(readDraft('form')).toBeNull()
  expect(JSON.stringify(sessionStorage)).not.toContain('Elm Fork')
})

it('assigns text typed after the session ended to its writer', async () => {
  const { draftOwner, writeDraft, readDraft, rememberSignIn, expireSession } = await open()
  rememberSignIn(person(7))
  const owner = draftOwner()
  expireSession()
  writeDraft('form', { city: 'Elm Fork' }, owner)
  expect(readDraft('form')).toBeNull()
  rememberSignIn(person(7))
  expect(readDraft('form')).toEqual({ city: 'Elm Fork' })
})

it('keeps a guest’s draft for guests', async () => {
  const { writeDraft, readDraft, rememberSignIn, forgetSession } = await open()
  writeDraft('guest-bill', { account: '100001' })
  rememberSignIn(person(7))
  expect(readDraft('guest-bill')).toBeNull()
  forgetSession()
  expect(readDraft('guest-bill')).toEqual({ account: '100001' })
})
