import type { DragEvent } from 'react'

/** Props of a draggable element. Firefox does not drag buttons, so apply them to the element around one. */
export const dragging = (text: string, onStart: () => void, onEnd: () => void) => ({
  draggable: true,
  onDragStart: (drag: DragEvent) => {
    drag.dataTransfer.setData('text/plain', text)
    drag.dataTransfer.effectAllowed = 'move'
    onStart()
  },
  onDragEnd: onEnd,
})
