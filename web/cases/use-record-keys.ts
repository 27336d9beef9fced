import { type RefObject, useEffect, useEffectEvent } from 'react'
import { isInField, isModified, useSingleKeys } from '../person-settings.ts'
import { useOverlay } from '../ui/Dialog.tsx'

/**
 * Calls `onKey` for single letters while the focus is in the record, and not in a field or in a dialog above it. A
 * person can turn the letters off in My Profile (WCAG 2.1.4).
 */
export function useRecordKeys(record: RefObject<HTMLElement | null>, onKey: (key: string) => boolean): void {
  const overlay = useOverlay()
  const [hasKeys] = useSingleKeys()
  const press = useEffectEvent((event: KeyboardEvent, root: HTMLElement) => {
    const { target } = event
    if (!hasKeys || isModified(event) || event.defaultPrevented) return
    if (!(target instanceof Element) || isInField(target)) return
    const dialog = target.closest('dialog')
    if (dialog !== null && dialog !== root.closest('dialog')) return
    if (onKey(event.key)) event.preventDefault()
  })
  useEffect(() => {
    const root = overlay?.current ?? record.current
    if (!root) return
    const listen = (event: KeyboardEvent) => press(event, root)
    root.addEventListener('keydown', listen)
    return () => root.removeEventListener('keydown', listen)
  }, [overlay, record])
}
