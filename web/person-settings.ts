/**
 * Settings of the screens that the signed-in person chose, such as visible columns. This browser also stores them, so
 * that a screen has them before the server responds. Residents, guests and impersonators have them in this browser only.
 */
import { useSyncExternalStore } from 'react'
import * as z from 'zod/mini'
import { type PersonSetting, personSettings } from '../shared/person-settings.ts'
import { call } from './call.ts'
import { currentSession, isResident } from './session.ts'

type Settings = Readonly<Record<string, PersonSetting>>

const stored = z.record(z.string(), z.custom<PersonSetting>())
const NONE: Settings = {}
const listeners = new Set<() => void>()
/** Settings in the memory of this page, and the person that they belong to. */
let loaded: { key: string; settings: Settings } | null = null

const keyOfPerson = () => `settings:${currentSession()?.userId ?? ''}`

function current(): Settings {
  const key = keyOfPerson()
  if (loaded?.key !== key) {
    loaded = { key, settings: fromBrowser(key) }
    if (isStored()) void load(key)
  }
  return loaded.settings
}

/** True if the server stores the person's settings. */
function isStored(): boolean {
  const session = currentSession()
  return session !== null && !session.impersonating && !isResident(session)
}

function fromBrowser(key: string): Settings {
  try {
    return stored.safeParse(JSON.parse(localStorage.getItem(key) ?? '{}')).data ?? NONE
  } catch {
    return NONE
  }
}

function store(key: string, settings: Settings): void {
  loaded = { key, settings }
  try {
    localStorage.setItem(key, JSON.stringify(settings))
  } catch {
    // The browser blocks storage, so the settings last as long as the page, or come from the server.
  }
  for (const listener of listeners) listener()
}

/** Replaces the settings of this browser by those of the server. If that fails, the page uses those of this browser. */
async function load(key: string): Promise<void> {
  const changed = new Set<string>()
  loading.set(key, changed)
  try {
    const { settings } = await call(personSettings.list, {})
    if (loaded?.key !== key) return
    // Choices of the person since the request are newer than the response.
    const own = Object.entries(loaded.settings).filter(([name]) => changed.has(name))
    store(key, { ...settings, ...Object.fromEntries(own) })
  } catch {
    // Nothing is lost: the settings of this browser stay.
  } finally {
    loading.delete(key)
  }
}
/** Names of settings that the person changed while the settings of the server load. */
const loading = new Map<string, Set<string>>()

/** Saves run one after another, so that the last choice wins. */
let saving: Promise<unknown> = Promise.resolve()

function change(name: string, value: PersonSetting): void {
  const key = keyOfPerson()
  store(key, { ...current(), [name]: value })
  loading.get(key)?.add(name)
  // A choice that the server did not get still applies in this browser.
  if (isStored()) saving = saving.then(() => call(personSettings.save, { name, value })).catch(() => {})
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/**
 * Returns a setting of the person and a function that changes it.
 * @param name such as `density`, or `columns:` and the path of a list
 * @param usual value until the person chooses one. A stored value of another shape counts as none
 */
export function usePersonSetting<T extends PersonSetting>(
  name: string,
  shape: z.ZodMiniType<T>,
  usual: T,
): readonly [T, (value: T) => void] {
  const settings = useSyncExternalStore(subscribe, current, () => NONE)
  const value = settings[name]
  const parsed = value === undefined ? null : shape.safeParse(value)
  return [parsed?.success ? parsed.data : usual, (next) => change(name, next)]
}

/** Setting for single letters as keys. A person can turn them off in My Profile (WCAG 2.1.4). */
export const useSingleKeys = () => usePersonSetting('keys', z.boolean(), true)

type Modifiers = Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'altKey'>

/** True for a key with Control, Command or Alt, which belongs to the browser. */
export const isModified = ({ ctrlKey, metaKey, altKey }: Modifiers): boolean => ctrlKey || metaKey || altKey

const FIELDS =
  'input, select, textarea, [contenteditable], [role=textbox], [role=combobox], [role=listbox], [role=menu]'

/** True in a field, where letters are text. */
export const isInField = (target: Element): boolean => target.closest(FIELDS) !== null
