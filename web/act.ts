import { useState } from 'react'
import { sentenceOf } from './call.ts'
import { toast } from './ui/Toasts.tsx'

/** Does what a button says, one thing at a time, and tells what came of it. */
export type Act = (work: () => Promise<{ message: string }>) => Promise<void>

/** `act` for the buttons of a thing: `renew` loads anew what they may have changed; `refusal` is why the last one did not work. */
export function useAct(renew: () => Promise<unknown>): { act: Act; busy: boolean; refusal: string } {
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState('')
  const act: Act = async (work) => {
    setBusy(true)
    setRefusal('')
    try {
      toast((await work()).message)
    } catch (problem) {
      setRefusal(sentenceOf(problem))
    }
    await renew()
    setBusy(false)
  }
  return { act, busy, refusal }
}
