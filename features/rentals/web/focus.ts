/** As a `ref`: gives the focus to what comes in place of, or far below, what was pressed. */
export { arriveAt as takesFocus } from '../../../web/ui/step-heading.ts'
