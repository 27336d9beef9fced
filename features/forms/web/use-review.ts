import { useState } from 'react'
import type { Answers } from '../../../shared/fields/answer.ts'
import { CallError } from '../../../web/call.ts'
import { toast } from '../../../web/ui/Toasts.tsx'

/** Tracks whether the person sees the questions or the review of the answers. */
export function useReview(refresh: () => void) {
  const [answers, setAnswers] = useState<Answers | null>(null)
  const [openAt, setOpenAt] = useState<string>()
  const [moved, setMoved] = useState(false)
  return {
    /** Answers under review. Null while the questions are open. */
    answers,
    /** Question to open first, after the person chose it in the review. */
    openAt,
    /** True if the person returned from the review. */
    moved,
    review: setAnswers,
    restart: () => setAnswers(null),
    back: (question?: string) => {
      setOpenAt(question)
      setAnswers(null)
      setMoved(true)
    },
    /** Sends the answers. If the form has changed in the meantime, reloads it and shows the new questions. */
    send: async (work: () => Promise<void>) => {
      try {
        await work()
      } catch (error) {
        if (!(error instanceof CallError) || error.code !== 'changed_since') throw error
        toast(error.message, 'danger')
        setAnswers(null)
        refresh()
      }
    },
  }
}
