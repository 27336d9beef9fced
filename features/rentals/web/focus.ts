/** As a `ref`: gives the focus to what comes in place of, or far below, what was pressed. */
export const takesFocus = (element: HTMLElement | null): void => element?.focus()
