/**
 * Repeats the input of a person who typed or pressed a button before the script of a page ran. `early-script.ts` has
 * recorded it. React does not repeat such input.
 */

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

export interface EarlyInput {
  /** Values of the fields that the person changed, by the field's index in the page. */
  fields: Map<number, string | boolean | FileList>
  /** Index of the button that the person pressed last. -1 without one. */
  pressed: number
  /** Index of the field that has the focus. -1 without one. */
  focused: number
  /** True while the person holds a mouse button, or a finger on the screen. */
  isHeld: boolean
  /** Stops recording. */
  stop: () => void
}

declare global {
  interface Window {
    earlyInput?: EarlyInput
  }
}

/**
 * Records the entries that the browser restored or filled without an event, for example after a reload. Call this
 * before React changes the page. A page that the script renders again may have other fields, and uses drafts.
 */
export function noteEntries(): void {
  const { earlyInput } = window
  if (!earlyInput || document.documentElement.dataset['rerender'] !== undefined) return
  for (const [index, field] of document.querySelectorAll<Field>('input,select,textarea').entries()) {
    const entry = changedEntry(field)
    if (entry !== null && !earlyInput.fields.has(index)) earlyInput.fields.set(index, entry)
  }
}

/** Returns the entry of a field. Null if the field is unchanged, or if people do not fill it. */
function changedEntry(field: Field): string | boolean | null {
  if (field instanceof HTMLSelectElement) {
    const options = [...field.options]
    const initial = options.find((option) => option.defaultSelected) ?? options[0]
    return initial?.value === field.value ? null : field.value
  }
  if (field.type === 'checkbox' || field.type === 'radio') {
    const { checked, defaultChecked } = field as HTMLInputElement
    return checked === defaultChecked ? null : checked
  }
  return field.value === field.defaultValue || field.type === 'hidden' || field.type === 'file' ? null : field.value
}

/** Resolves when the current press ends. A press has no effect if its element is replaced before. */
export const released = (): Promise<void> =>
  new Promise((resolve) => {
    if (!window.earlyInput?.isHeld) return resolve()
    const end = () => setTimeout(resolve)
    for (const type of ['pointerup', 'pointercancel']) addEventListener(type, end, { once: true, capture: true })
  })

export async function repeatInput(): Promise<void> {
  const { earlyInput } = window
  if (!earlyInput) return
  delete window.earlyInput
  earlyInput.stop()
  try {
    sessionStorage.removeItem('reloaded')
  } catch {
    // If the browser blocks storage, a page with a missing script is not reloaded.
  }
  document.documentElement.removeAttribute('data-rerender')
  document.querySelector('body > #help')?.remove()
  // React may have replaced the elements, for example on a page that the browser has translated.
  const fields = document.querySelectorAll<Field>('input,select,textarea')
  const button = document.querySelectorAll('button')[earlyInput.pressed]
  if (document.activeElement === document.body) fields[earlyInput.focused]?.focus()
  for (const [index, value] of earlyInput.fields) {
    const field = fields[index]
    if (field) enter(field, value)
    // React renders after this event, so that the next one changes the new state.
    await Promise.resolve()
  }
  button?.click()
}

/** Enters a value as a person does. */
function enter(field: Field, value: string | boolean | FileList): void {
  if (value instanceof FileList) {
    // React may have made a new element, which has no files.
    if (field instanceof HTMLInputElement) field.files = value
    field.dispatchEvent(new Event('change', { bubbles: true }))
    return
  }
  if (field instanceof HTMLSelectElement) {
    field.value = String(value)
    field.dispatchEvent(new Event('change', { bubbles: true }))
  } else if (typeof value === 'boolean') {
    if (field instanceof HTMLInputElement) field.checked = !value
    field.click()
  } else {
    const { selectionStart } = field
    // React may have reset the value, and with it the caret.
    const caret = field.value === value ? selectionStart : value.length
    // React ignores an event without a change, and remembers only values that are set by the element's own property.
    field.value = value === '' ? ' ' : ''
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value)
    field.dispatchEvent(new Event('input', { bubbles: true }))
    if (selectionStart !== null && field === document.activeElement) field.setSelectionRange(caret, caret)
  }
}
