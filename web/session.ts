/**
 * Session of this browser tab (spec 3 "Session / auth data", 4.10). It is stored as plain keys in session storage, so
 * that it ends with the tab. A new tab of the same company requests the session from other tabs over a channel. An
 * impersonated session is never shared.
 */
import { useSyncExternalStore } from 'react'
import {
  may as mask,
  type PrivilegeName,
  type Privileges,
  type Permission,
  privilegesFrom,
  privilegesText,
} from '../shared/privileges.ts'

/**
 * Keys cleared at sign-out (spec 4.10, and the flag for an unconfirmed email). `sessionExpired` stays, because it makes
 * the sign-in page show a message.
 */
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
  /** True for a resident who has not confirmed their email yet. */
  emailUnconfirmed: boolean
  /** The role id (spec 3: UN). */
  un: number
  privileges: Privileges
  impersonating: boolean
  /** Impersonator and impersonated person. Null without an impersonation. */
  impersonation: Impersonation | null
}

export interface Impersonation {
  by: string
  as: string
  of: 'citizen' | 'municipality'
  /** Origin of the window that opened the impersonation. */
  opener: string
  handOff: string
  /** True if staff preview the portal as a temporary resident. */
  isPreview?: boolean
}

/** True if staff use the portal for a real resident or for the municipality. */
export const actsForOther = (session: Session | null): boolean =>
  session !== null && session.impersonating && !session.impersonation?.isPreview

/** Lowest role id of staff. Lower ids belong to residents. */
const FIRST_STAFF_ROLE = 3

/** True for a resident, and for staff who use the portal as a resident. */
export const isResident = (session: Session): boolean =>
  session.impersonating ? session.impersonation?.of === 'citizen' : session.un < FIRST_STAFF_ROLE

/** Response of `login` and `admin/login` (spec 7.2). */
export interface SignInResponse {
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
let cached: Session | null | undefined

function storage(): Storage | null {
  try {
    return globalThis.sessionStorage ?? null
  } catch {
    return null // If the browser blocks storage, the session lasts as long as the page.
  }
}

const read = (key: string) => storage()?.getItem(key) ?? null
const stored = (): StoredKeys =>
  Object.fromEntries(AUTH_KEYS.flatMap((key) => (read(key) === null ? [] : [[key, read(key)]])))

function notify(): void {
  cached = undefined
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

/** Returns the session of this tab, or null. */
export function currentSession(): Session | null {
  if (cached === undefined) cached = load()
  return cached
}

export const wasExpired = (): boolean => read('sessionExpired') === 'true'

/** Replaces this tab's session. Does not notify other tabs, so that an impersonated session stays in its tab. */
export function storeKeys(entries: StoredKeys): void {
  for (const key of AUTH_KEYS) storage()?.removeItem(key)
  for (const [key, value] of Object.entries(entries)) storage()?.setItem(key, value)
  storage()?.removeItem('sessionExpired')
  dropDraftsOfOthers(entries.userId)
  notify()
}

/** Deletes drafts of other people, so that the signed-in person cannot see them (`drafts.ts`). */
function dropDraftsOfOthers(userId: string | undefined): void {
  for (const key of Object.keys(storage() ?? {}))
    if (key.startsWith('draft:') && !key.endsWith(`:${userId}`) && !key.endsWith(':guest')) storage()?.removeItem(key)
}

/** Stores the session after a sign-in and notifies the company's other tabs. */
export function rememberSignIn({ token, user, privileges, expire_time }: SignInResponse): void {
  storeKeys({
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
  mark(SIGNED_IN + Date.now())
}

/** Updates the session after a change of the person's name or email, or after the email was confirmed. */
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
  notify()
}

/** Applies the privileges from a response header, so that menus and buttons update immediately. */
export function applyPrivileges(text: string | null, token: string | undefined): void {
  const session = currentSession()
  if (!text || !session || session.token !== token || privilegesText(session.privileges) === text) return
  storage()?.setItem('privileges', JSON.stringify(privilegesFrom(text)))
  notify()
}

/** Removes the session from this tab and from tabs with the same sign-in. */
export function forgetSession(): void {
  const token = read('tkn')
  if (token && isSharing()) {
    mark(null)
    channel?.postMessage({ type: 'signed-out', token } satisfies Message)
  }
  for (const key of AUTH_KEYS) storage()?.removeItem(key)
  notify()
}

/** Ends the session in the browser because the server no longer accepts it (spec 8.1). */
export function expireSession(): void {
  const had = currentSession() !== null
  forgetSession()
  if (had) storage()?.setItem('sessionExpired', 'true')
  notify()
}

/**
 * True if the person's permission mask for this policy includes the permission. The server checks again on each call.
 */
export const may = (policy: PrivilegeName, permission: Permission): boolean =>
  mask(currentSession()?.privileges ?? {}, policy, permission)

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns the session of this tab and renders again when it starts or ends. */
export const useSession = (): Session | null => useSyncExternalStore(subscribe, currentSession, () => null)

type Message = { type: 'request' } | { type: 'session'; entries: StoredKeys } | { type: 'signed-out'; token: string }

/**
 * Key in local storage. It exists while a tab of this origin may have a session to share. It contains no session data,
 * and only saves new tabs from waiting for an answer.
 */
const SHARED = 'sessionInTabs'

function isMarked(): boolean {
  try {
    return globalThis.localStorage.getItem(SHARED) !== null
  } catch {
    return true // If the browser blocks storage, another tab may still answer.
  }
}

/** Start of the value after a sign-in. Tabs without a session then ask for it. */
const SIGNED_IN = 'signed in '

function mark(value: string | null): void {
  try {
    if (value === null) globalThis.localStorage.removeItem(SHARED)
    else globalThis.localStorage.setItem(SHARED, value)
  } catch {
    // Without storage, each new tab asks the other tabs.
  }
}

/** Marks that a tab has a session, unless a sign-in already did. */
const keepMark = () => isMarked() || mark('kept')

/** Channel to the other tabs of the same origin, so a session stays within its company. Null while it is closed. */
let channel: BroadcastChannel | null = null
let isRequesting = false

/** True if the tab's session is one that it shares. */
const isSharing = () => currentSession()?.impersonating === false

/**
 * Opens the channel if this tab has a session to share or waits for one, and closes it otherwise. A browser does not
 * keep a page with an open channel for Back.
 */
function updateChannel(): void {
  const isNeeded = isRequesting || isSharing()
  if (isNeeded && !channel && typeof BroadcastChannel !== 'undefined' && globalThis.document) {
    channel = new BroadcastChannel('session')
    channel.addEventListener('message', onMessage)
  }
  if (!isNeeded) closeChannel()
  if (isSharing()) keepMark()
}

function closeChannel(): void {
  channel?.close()
  channel = null
}

function onMessage({ data }: MessageEvent<Message>): void {
  if (data.type === 'request' && isSharing())
    channel?.postMessage({ type: 'session', entries: stored() } satisfies Message)
  if (data.type === 'session' && !currentSession()) {
    storeKeys(data.entries)
    resolveReady?.()
  }
  if (data.type === 'signed-out') {
    if (read('tkn') === data.token) {
      for (const key of AUTH_KEYS) storage()?.removeItem(key)
      notify()
    } else if (isSharing()) keepMark()
  }
}

/**
 * Time that a new tab waits for another tab's session, in milliseconds. The usual response time is a hundred times
 * shorter.
 */
const SHARED_SESSION_MS = 150

let resolveReady: (() => void) | undefined

/** Asks the other tabs for their session. Resolves with the first answer, or after a short wait without one. */
function requestSession(): Promise<void> {
  isRequesting = true
  updateChannel()
  if (!channel) {
    isRequesting = false
    return Promise.resolve()
  }
  channel.postMessage({ type: 'request' } satisfies Message)
  return new Promise<void>((resolve) => {
    resolveReady = resolve
    setTimeout(resolve, SHARED_SESSION_MS)
  }).finally(() => {
    isRequesting = false
    if (!currentSession()) mark(null)
    updateChannel()
  })
}

/**
 * Resolves when the tab knows whether it has a session. A tab without a session first asks the other tabs, if one of
 * them may have a session.
 */
export const sessionReady: Promise<void> = currentSession() || !isMarked() ? Promise.resolve() : requestSession()

listeners.add(updateChannel)
updateChannel()

// A tab without a session gets the session when another tab signs in.
globalThis.window?.addEventListener('storage', ({ key, newValue }) => {
  if (key === SHARED && newValue?.startsWith(SIGNED_IN) && !currentSession()) void requestSession()
})

/*
 * The browser keeps a page that a person leaves, and Back restores it as it was. While it is away, a page with a session
 * is hidden, so that it never shows for a moment after a sign-out.
 */
globalThis.window?.addEventListener('pagehide', () => {
  if (currentSession()) document.documentElement.style.visibility = 'hidden'
  closeChannel()
})
globalThis.window?.addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return
  const token = currentSession()?.token
  notify()
  const isSame = currentSession()?.token === token
  const wasSignedOut = token !== undefined && isSharing() && !isMarked()
  if (!isSame || wasSignedOut) location.reload()
  else document.documentElement.style.visibility = ''
  if (!token && isMarked()) void requestSession()
})
