import type { DragEvent } from 'react'

/**
 * Returns the props of a draggable element. Firefox does not drag buttons, so apply the props to an element around the
 * button.
 */
export const dragging = (text: string, onStart: () => void, onEnd: () => void) => ({
  draggable: true,
  onDragStart: (drag: DragEvent) => {
    drag.dataTransfer.setData('text/plain', text)
    drag.dataTransfer.effectAllowed = 'move'
    onStart()
  },
  onDragEnd: onEnd,
})
