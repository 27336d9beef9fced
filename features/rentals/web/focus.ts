/**
 * Callback for `ref` that focuses an element after the user presses a button. Used if the button disappears, or if the
 * element is far below it.
 */
export { arriveAt as takesFocus } from '../../../web/ui/step-heading.ts'
