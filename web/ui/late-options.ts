/** Form values of selects. A select itself loses its value until the options have loaded. */
const values = new WeakMap<EventTarget, () => unknown>()

const isSelect = (field: unknown): field is HTMLSelectElement => (field as Element | null)?.tagName === 'SELECT'

/** Notes the form that holds the value of a select. Other fields keep their own text. */
export function noteFormValue(field: unknown, value: () => unknown): void {
  if (isSelect(field)) values.set(field, value)
}

/** Returns the form's value of a select, if the select shows another one. */
function missedValue(select: EventTarget | null): string | undefined {
  if (!isSelect(select)) return undefined
  const value = values.get(select)?.()
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text !== select.value ? text : undefined
}

/** Selects the option of the form's value, after the options have changed. */
export function selectFormValue(select: HTMLSelectElement | null): void {
  const value = missedValue(select)
  if (select && value !== undefined) select.value = value
}

/** True if the option of the form's value has not loaded yet. */
export const awaitsOption = (field: EventTarget): boolean => missedValue(field) !== undefined
