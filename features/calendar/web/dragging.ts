import type { DragEvent } from 'react'

/** What makes an element one that is dragged. Firefox drags no buttons, so it is what stands around one. */
export const dragging = (text: string, onStart: () => void, onEnd: () => void) => ({
  draggable: true,
  onDragStart: (drag: DragEvent) => {
    drag.dataTransfer.setData('text/plain', text)
    drag.dataTransfer.effectAllowed = 'move'
    onStart()
  },
  onDragEnd: onEnd,
})
