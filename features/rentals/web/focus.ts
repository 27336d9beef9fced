/** For use as a `ref`: focuses the element that replaces, or is far below, the pressed button. */
export { arriveAt as takesFocus } from '../../../web/ui/step-heading.ts'
