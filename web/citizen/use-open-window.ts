import { useEffect } from 'react'
import { CHANNEL } from '../../shared/impersonation.ts'

/** Confirms to the opening window that the window of this impersonation is open. */
export function useOpenWindow(handOff: string | undefined): void {
  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL)
    channel.addEventListener('message', ({ data }: MessageEvent<{ requested?: string }>) => {
      if (data.requested === handOff) channel.postMessage({ here: handOff })
    })
    return () => channel.close()
  }, [handOff])
}
