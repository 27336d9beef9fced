import type { KeyboardEvent } from 'react'
import { digitsOf, nationalDigits, typePhone } from '../../shared/phone.ts'

type Shape = 'dashes' | 'profile'

/** Formats a phone number as `(xxx) xxx-xxxx` while the person types. */
export function typeProfilePhone(text: string): string {
  const d = nationalDigits(text)
  if (d.length <= 3) return d
  return `(${d.slice(0, 3)}) ${[d.slice(3, 6), d.slice(6)].filter(Boolean).join('-')}`
}

/** Returns the caret position after `count` digits. */
function positionAfterDigits(text: string, count: number): number {
  if (count <= 0) return 0
  let seen = 0
  for (let i = 0; i < text.length; i++) if (/\d/.test(text[i] ?? '') && ++seen === count) return i + 1
  return text.length
}

/** Formats the input and keeps the caret after the same digit, even if formatting removes a country code before it. */
export function typePhoneInto(input: HTMLInputElement, shape: Shape): void {
  const caret = input.selectionStart ?? input.value.length
  const after = digitsOf(input.value.slice(caret)).length
  const ended = caret === input.value.length
  input.value = shape === 'profile' ? typeProfilePhone(input.value) : typePhone(input.value)
  const position = ended ? input.value.length : positionAfterDigits(input.value, digitsOf(input.value).length - after)
  input.setSelectionRange(position, position)
}

/**
 * Makes Backspace right after a dash or bracket also delete the digit before that character (spec 5.5). It extends the
 * selection over both characters, and the browser then deletes the selection.
 */
export function phoneKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
  const input = event.currentTarget
  const { selectionStart: start, selectionEnd: end, value } = input
  if (event.key !== 'Backspace' || start === null || start !== end || /\d/.test(value[start - 1] ?? '0')) return
  const digit = value.slice(0, start).search(/\d\D*$/)
  if (digit >= 0) input.setSelectionRange(digit, start)
}
