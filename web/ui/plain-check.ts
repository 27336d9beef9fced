import type { FieldBinding } from './form.ts'

/**
 * Returns the props of a check box in a form that works without JavaScript. A browser sends the entry `on`, and only if
 * the box is checked.
 */
export const plainCheck = ({ defaultValue, limit: _limit, ...box }: FieldBinding) => ({
  ...box,
  defaultChecked: defaultValue === 'on',
})
