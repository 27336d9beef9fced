/**
 * Callback for `ref` that focuses an element after the user presses a button. Used if the button disappears or the
 * element is far below the button.
 */
export { arriveAt as takesFocus } from '../../../web/ui/step-heading.ts'
