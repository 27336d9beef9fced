/**
 * Repeats the input of a person who typed or pressed a button before the script of a page ran. `early-script.ts` has
 * recorded it. React does not repeat such input.
 */

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

export interface EarlyInput {
  /** Fields that the person changed, with their values. */
  fields: Map<Field, string | boolean>
  /** Button that the person pressed last. */
  pressed: HTMLButtonElement | null
  /** Stops recording. */
  stop: () => void
}

declare global {
  interface Window {
    earlyInput?: EarlyInput
  }
}

export async function repeatInput(): Promise<void> {
  const { earlyInput } = window
  if (!earlyInput) return
  delete window.earlyInput
  earlyInput.stop()
  document.documentElement.removeAttribute('data-rerender')
  document.querySelector('body > #help')?.remove()
  for (const [field, value] of earlyInput.fields) {
    if (field.isConnected) enter(field, value)
    // React renders after this event, so that the next one changes the new state.
    await Promise.resolve()
  }
  if (earlyInput.pressed?.isConnected) earlyInput.pressed.click()
}

/** Enters a value as a person does. */
function enter(field: Field, value: string | boolean): void {
  if (field instanceof HTMLSelectElement) {
    field.value = String(value)
    field.dispatchEvent(new Event('change', { bubbles: true }))
  } else if (typeof value === 'boolean') {
    if (field instanceof HTMLInputElement) field.checked = !value
    field.click()
  } else {
    const { selectionStart } = field
    // React ignores an event without a change, and remembers only values that are set by the element's own property.
    field.value = value === '' ? ' ' : ''
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value)
    field.dispatchEvent(new Event('input', { bubbles: true }))
    if (selectionStart !== null && field === document.activeElement)
      field.setSelectionRange(selectionStart, selectionStart)
  }
}
