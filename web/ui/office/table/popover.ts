/** Part of the window below which a popover opens upward. */
const LOW = 0.6
const MARGIN_PX = 16

/** Positions a popover below its anchor, or above it in the lower part of the window. */
export function positionPopover(
  panel: HTMLElement,
  anchor: DOMRect,
  gap: number,
  across: Partial<CSSStyleDeclaration>,
): void {
  const { top, bottom } = anchor
  const isLow = bottom > innerHeight * LOW
  Object.assign(panel.style, {
    top: isLow ? 'auto' : `${bottom + gap}px`,
    bottom: isLow ? `${innerHeight - top + gap}px` : 'auto',
    maxHeight: `${(isLow ? top : innerHeight - bottom) - MARGIN_PX}px`,
    ...across,
  })
}
