/**
 * The session of this browser tab (specification 3 "Session / auth data", 4.10): plain keys in session storage, so
 * that it ends with the tab. Another tab of the same town asks for it over a channel; an impersonated one never tells.
 */
import { useSyncExternalStore } from 'react'
import {
  may as mask,
  type PolicyName,
  type Privileges,
  type Right,
  rightsFrom,
  rightsText,
} from '../shared/privileges.ts'

/** What logging out clears (specification 4.10, and whether the email waits to be confirmed); `sessionExpired` stays to explain itself on the sign-in page. */
const AUTH_KEYS = [
  'userId',
  'tkn',
  'auth',
  'privileges',
  'companyId',
  'profilename',
  'email',
  'UN',
  'overSeeingEye',
  'tokenCreatedAt',
  'tokenExpireTime',
  'emailUnconfirmed',
  'impersonation',
] as const
type AuthKey = (typeof AUTH_KEYS)[number]
type StoredKeys = Partial<Record<AuthKey, string>>

export interface Session {
  token: string
  userId: string
  /** Null for the platform's own staff. */
  companyId: string | null
  profileName: string
  email: string
  /** A resident who has not opened the link in their mail yet. */
  emailUnconfirmed: boolean
  /** The role id (specification 3: UN). */
  un: number
  privileges: Privileges
  impersonating: boolean
  /** Who looks and at whom, while impersonating. */
  impersonation: Impersonation | null
}

export interface Impersonation {
  by: string
  as: string
  of: 'citizen' | 'municipality'
  /** The origin of the window that opened this one. */
  opener: string
  handOff: string
}

/** The answer of `login` and `admin/login` (specification 7.2). */
export interface SignInAnswer {
  token: string
  user: {
    id: number
    company_id: number | null
    first_name: string
    last_name: string
    email: string
    role_id: number
    email_confirmed?: boolean | undefined
  }
  privileges: Record<string, number>
  expire_time: string
}

const listeners = new Set<() => void>()
let known: Session | null | undefined

function storage(): Storage | null {
  try {
    return globalThis.sessionStorage ?? null
  } catch {
    return null // a browser that refuses storage: the session lasts as long as the page
  }
}

const read = (key: string) => storage()?.getItem(key) ?? null
const stored = (): StoredKeys =>
  Object.fromEntries(AUTH_KEYS.flatMap((key) => (read(key) === null ? [] : [[key, read(key)]])))

function tell(): void {
  known = undefined
  for (const listener of listeners) listener()
}

function parsed<T>(text: string | null, otherwise: T): T {
  try {
    return text === null ? otherwise : (JSON.parse(text) as T)
  } catch {
    return otherwise
  }
}

function load(): Session | null {
  const [token, userId] = [read('tkn'), read('userId')]
  if (!token || !userId) return null
  const eye = read('overSeeingEye')
  return {
    token,
    userId,
    companyId: read('companyId'),
    profileName: read('profilename') ?? '',
    email: read('email') ?? '',
    emailUnconfirmed: read('emailUnconfirmed') === '1',
    un: Number(read('UN') ?? 0),
    privileges: parsed<Privileges>(read('privileges'), {}),
    impersonating: eye === 'true' || eye === '1',
    impersonation: parsed<Impersonation | null>(read('impersonation'), null),
  }
}

/** Who is signed in in this tab, or null. */
export function currentSession(): Session | null {
  if (known === undefined) known = load()
  return known
}

export const wasExpired = (): boolean => read('sessionExpired') === 'true'

/** Replaces this tab's session, and tells no other tab: an impersonated session stays where it is. */
export function keep(entries: StoredKeys): void {
  for (const key of AUTH_KEYS) storage()?.removeItem(key)
  for (const [key, value] of Object.entries(entries)) storage()?.setItem(key, value)
  storage()?.removeItem('sessionExpired')
  dropDraftsOfOthers(entries.userId)
  tell()
}

/** What somebody typed before another person signed in in this tab is nobody's business (`drafts.ts`). */
function dropDraftsOfOthers(userId: string | undefined): void {
  for (const key of Object.keys(storage() ?? {}))
    if (key.startsWith('draft:') && !key.endsWith(`:${userId}`) && !key.endsWith(':guest')) storage()?.removeItem(key)
}

/** Keeps what a sign-in answered, and tells the other tabs of this town. */
export function rememberSignIn({ token, user, privileges, expire_time }: SignInAnswer): void {
  keep({
    tkn: token,
    auth: '1',
    userId: String(user.id),
    ...(user.company_id !== null && { companyId: String(user.company_id) }),
    privileges: JSON.stringify(privileges),
    profilename: `${user.first_name} ${user.last_name}`.trim(),
    email: user.email,
    ...(user.email_confirmed === false && { emailUnconfirmed: '1' }),
    UN: String(user.role_id),
    tokenCreatedAt: new Date().toISOString(),
    tokenExpireTime: expire_time,
  })
  channel?.postMessage({ type: 'session', entries: stored() } satisfies Message)
}

/** The person's name or email changed, or was confirmed. */
export function renameSession({
  name,
  email,
  confirmed,
}: {
  name?: string
  email?: string
  confirmed?: boolean
}): void {
  if (!currentSession()) return
  if (name) storage()?.setItem('profilename', name)
  if (email) storage()?.setItem('email', email)
  if (confirmed) storage()?.removeItem('emailUnconfirmed')
  tell()
}

/** What an answer's header says of the rights of its caller: menus and buttons follow at once. */
export function followRights(text: string | null, token: string | undefined): void {
  const session = currentSession()
  if (!text || !session || session.token !== token || rightsText(session.privileges) === text) return
  storage()?.setItem('privileges', JSON.stringify(rightsFrom(text)))
  tell()
}

/** Forgets who is signed in, here and in the tabs that got it from the same sign-in. */
export function forgetSession(): void {
  const token = read('tkn')
  const shared = token && !currentSession()?.impersonating
  for (const key of AUTH_KEYS) storage()?.removeItem(key)
  tell()
  if (shared) channel?.postMessage({ type: 'signed-out', token } satisfies Message)
}

/** The server no longer knows the session (specification 8.1). */
export function expireSession(): void {
  const had = currentSession() !== null
  forgetSession()
  if (had) storage()?.setItem('sessionExpired', 'true')
  tell()
}

/** Does the signed-in person's mask of this policy include the right? The server checks again on each call. */
export const may = (policy: PolicyName, right: Right): boolean =>
  mask(currentSession()?.privileges ?? {}, policy, right)

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The session of this tab; renders anew when it begins or ends. */
export const useSession = (): Session | null => useSyncExternalStore(subscribe, currentSession, () => null)

type Message = { type: 'ask' } | { type: 'session'; entries: StoredKeys } | { type: 'signed-out'; token: string }

/** Channels reach one origin alone, so a town's session never leaves its town. */
const channel = typeof BroadcastChannel === 'undefined' || !globalThis.document ? null : new BroadcastChannel('session')

/** A new tab waits this long for another one to tell; about a hundred times what it takes. */
const ASK_MS = 150

let answered: (() => void) | undefined

channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => {
  const session = currentSession()
  if (data.type === 'ask' && session && !session.impersonating)
    channel.postMessage({ type: 'session', entries: stored() } satisfies Message)
  if (data.type === 'session' && !session) {
    keep(data.entries)
    answered?.()
  }
  if (data.type === 'signed-out' && read('tkn') === data.token) {
    for (const key of AUTH_KEYS) storage()?.removeItem(key)
    tell()
  }
})

/** Resolves when it is known whether this tab has a session: at once, or after another tab had its chance to tell. */
export const sessionReady: Promise<void> =
  !channel || currentSession()
    ? Promise.resolve()
    : new Promise((resolve) => {
        answered = resolve
        channel.postMessage({ type: 'ask' } satisfies Message)
        setTimeout(resolve, ASK_MS)
      })
