import { useState } from 'react'
import { messageOf } from './call.ts'
import { toast } from './ui/Toasts.tsx'

/** Function that runs a button's action, one at a time, and shows its result. */
export type Act = (work: () => Promise<{ message: string }>) => Promise<void>

/**
 * Returns `act` for the buttons of a record. `refresh` reloads the data that an action may have changed. `refusal` is
 * the error message of the last action.
 */
export function useAct(refresh: () => Promise<unknown>): { act: Act; busy: boolean; refusal: string } {
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState('')
  const act: Act = async (work) => {
    setBusy(true)
    setRefusal('')
    try {
      toast((await work()).message)
    } catch (problem) {
      setRefusal(messageOf(problem))
    }
    await refresh()
    setBusy(false)
  }
  return { act, busy, refusal }
}
