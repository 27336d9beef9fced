import { type ComponentType, type ReactNode, useState } from 'react'
import { toast } from './ui/Toasts.tsx'

type Panel = ComponentType<{ onClose: () => void }>

/** A dialog whose code is loaded when somebody opens it. `failed` is said where it can't be loaded. */
export function useLatePanel(
  load: () => Promise<{ default: Panel }>,
  failed: string,
): { open: () => void; panel: ReactNode } {
  const [Loaded, setLoaded] = useState<Panel | null>(null)
  const open = () =>
    void load().then(
      ({ default: loaded }) => setLoaded(() => loaded),
      () => toast(failed, 'danger'),
    )
  return { open, panel: Loaded && <Loaded onClose={() => setLoaded(null)} /> }
}
