import type { KeyboardEvent } from 'react'
import { isModified } from '../../../person-settings.ts'

type Act = 'next' | 'previous' | 'select' | 'search' | 'help'

/** Key of a list. `extend` is true with Shift. */
export interface ListKey {
  act: Act
  extend: boolean
}

const MOVES: Readonly<Record<string, Act>> = { ArrowDown: 'next', ArrowUp: 'previous' }
const SHORTCUTS: Readonly<Record<string, Act>> = {
  j: 'next',
  k: 'previous',
  x: 'select',
  '/': 'search',
  '?': 'help',
}

const isTyped = (target: Element) =>
  target.matches('input:not([type=checkbox]), select, textarea, [contenteditable]') ||
  target.closest('[popover]') !== null

/**
 * Returns the key that a person pressed in a list, or null for any other key. Letters in fields and menus have no effect.
 * @param hasShortcuts false if the person turned the single letters off (WCAG 2.1.4)
 */
export function listKeyOf(event: KeyboardEvent, hasShortcuts: boolean): ListKey | null {
  const { key, target, shiftKey: extend } = event
  if (isModified(event) || !(target instanceof Element) || isTyped(target)) return null
  const act = MOVES[key] ?? (hasShortcuts ? SHORTCUTS[key === '?' ? key : key.toLowerCase()] : undefined)
  return act ? { act, extend } : null
}

/** Moves the focus to the name of another row. @returns true if one exists */
export function focusRow(from: Element, to: Act | 'first'): boolean {
  const names = [...(from.closest('.list-screen')?.querySelectorAll<HTMLElement>('.list-table .row-name') ?? [])]
  const at = names.findIndex((name) => from.contains(name))
  const name = to === 'first' ? names[0] : names[at + (to === 'next' ? 1 : -1)]
  name?.focus()
  return name !== undefined
}

export const focusSearch = (from: Element) =>
  from.closest('.list-screen')?.querySelector<HTMLElement>('form[role=search] input')?.focus()
