/**
 * Callback for `ref` that focuses an element after a button press. Used if the button disappears or the element is far
 * below it.
 */
export { arriveAt as takesFocus } from '../../../web/ui/step-heading.ts'
