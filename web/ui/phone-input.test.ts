import type { KeyboardEvent } from 'react'
import { describe, expect, it } from 'vitest'
import { phoneKeyDown, typePhoneInto, typeProfilePhone } from './phone-input.ts'

/** Simulates an input. `|` in its text marks the caret. */
function input(marked: string) {
  const at = marked.indexOf('|')
  return {
    value: marked.replace('|', ''),
    selectionStart: at,
    selectionEnd: at,
    setSelectionRange(start: number, end: number) {
      Object.assign(this, { selectionStart: start, selectionEnd: end })
    },
  } as unknown as HTMLInputElement
}
const viewOf = (field: HTMLInputElement) =>
  `${field.value.slice(0, field.selectionStart ?? 0)}|${field.value.slice(field.selectionStart ?? 0)}`

function backspace(field: HTMLInputElement) {
  phoneKeyDown({ key: 'Backspace', currentTarget: field } as KeyboardEvent<HTMLInputElement>)
  const [start, end] = [field.selectionStart ?? 0, field.selectionEnd ?? 0]
  const from = start === end ? Math.max(0, start - 1) : start
  const text = field.value
  field.value = text.slice(0, from) + text.slice(end)
  field.setSelectionRange(from, from)
  typePhoneInto(field, 'dashes')
}

describe('typing a phone number', () => {
  it('formats xxx-xxx-xxxx without cutting extra digits off', () => {
    const field = input('71755501429999|')
    typePhoneInto(field, 'dashes')
    expect(viewOf(field)).toBe('717-555-01429999|')
  })
  it.each(['+1 717 555 0199', '1-717-555-0199', '+1 (717) 555-0199', '1 717.555.0199'])(
    'drops the country code of %s, pasted or typed letter by letter',
    (number) => {
      for (const [shape, expected] of [
        ['dashes', '717-555-0199|'],
        ['profile', '(717) 555-0199|'],
      ] as const) {
        const pasted = input(`${number}|`)
        typePhoneInto(pasted, shape)
        expect(viewOf(pasted)).toBe(expected)
        const typed = input('|')
        for (const char of number) {
          typed.value += char
          typed.setSelectionRange(typed.value.length, typed.value.length)
          typePhoneInto(typed, shape)
        }
        expect(viewOf(typed)).toBe(expected)
      }
    },
  )
  it('keeps the caret behind the same digit', () => {
    const field = input('7179|-555-0142')
    typePhoneInto(field, 'dashes')
    expect(viewOf(field)).toBe('717-9|55-50142')
  })
  it('deletes the digit before a dash with backspace after the dash', () => {
    const field = input('717-|555-0142')
    backspace(field)
    expect(viewOf(field)).toBe('71|5-550-142')
  })
  it('deletes one digit with a backspace anywhere else', () => {
    const field = input('717-5|55-0142')
    backspace(field)
    expect(viewOf(field)).toBe('717|-550-142')
  })
  it('formats profile numbers as (xxx) xxx-xxxx during typing', () => {
    expect(['7', '717', '7175', '717555', '7175550', '7175550142'].map(typeProfilePhone)).toEqual([
      '7',
      '717',
      '(717) 5',
      '(717) 555',
      '(717) 555-0',
      '(717) 555-0142',
    ])
  })
})
