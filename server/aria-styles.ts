/**
 * Styles that React Aria adds to pages. The Content-Security-Policy permits inline styles by their hash. A test in
 * `app.test.ts` compares both with the library.
 */

/** Id of the style for buttons. If a page has an element with this id, React Aria adds none. */
export const ARIA_STYLE_ID = 'react-aria-pressable-style'

/** The style for buttons, in the page's own style. */
export const ARIA_STYLE = '@layer{[data-react-aria-pressable]{touch-action:pan-x pan-y pinch-zoom}}'

/** Style that React Aria adds on iPhones while a dialog is open. */
export const ARIA_SCROLL_STYLE = `@layer {
  * {
    overscroll-behavior: contain;
  }
}`
