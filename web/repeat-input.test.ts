// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from 'vitest'
import { type EarlyInput, noteEntries, released, repeatInput } from './repeat-input.ts'

let early: EarlyInput
const fieldAt = (index: number) => document.querySelectorAll<HTMLInputElement>('input,select,textarea')[index]

beforeEach(() => {
  document.documentElement.removeAttribute('data-rerender')
  document.body.innerHTML =
    '<input type="hidden" value="key"><input type="text" value="Ida"><select><option>One<option>Two</select>'
  early = { fields: new Map(), pressed: -1, focused: -1, isHeld: false, stop: () => {} }
  window.earlyInput = early
})

describe('entries before the script of a page', () => {
  it('are noted if the browser restored them without an event', () => {
    Object.assign(fieldAt(1) ?? {}, { value: 'Ida Moss' })
    Object.assign(fieldAt(2) ?? {}, { value: 'Two' })
    noteEntries()
    expect([...early.fields]).toEqual([
      [1, 'Ida Moss'],
      [2, 'Two'],
    ])
  })

  it('are not noted if the server rendered them', () => {
    noteEntries()
    expect(early.fields.size).toBe(0)
  })

  it('are not noted by position in a page that the script renders again', () => {
    document.documentElement.dataset['rerender'] = ''
    Object.assign(fieldAt(1) ?? {}, { value: 'Ida Moss' })
    noteEntries()
    expect(early.fields.size).toBe(0)
  })

  it('return with the focus and the caret at their end, if React has replaced the field', async () => {
    early.fields.set(1, 'Ida Moss')
    early.focused = 1
    await repeatInput()
    expect(document.activeElement).toBe(fieldAt(1))
    expect([fieldAt(1)?.value, fieldAt(1)?.selectionStart]).toEqual(['Ida Moss', 8])
  })
})

it('waits for the end of a press before the elements are replaced', async () => {
  await released()
  early.isHeld = true
  let isReleased = false
  const end = released().then(() => (isReleased = true))
  await Promise.resolve()
  expect(isReleased).toBe(false)
  dispatchEvent(new Event('pointerup'))
  await end
  expect(isReleased).toBe(true)
})
