import type { CopyCall } from '../shared/copies.ts'
import type { Endpoint } from '../shared/endpoint.ts'
import { call, messageOf } from './call.ts'
import { reload } from './query.ts'
import { toast } from './ui/Toasts.tsx'

/**
 * Returns the row action "Copy". It copies the record, reloads the list and opens the copy.
 * @param lists calls that show the records
 */
export const copyRow = (
  copy: CopyCall,
  { lists, open }: { lists: readonly Endpoint[]; open: (id: number) => void },
): ((row: { id: number }) => Promise<void>) => {
  // A second press while the copy is being created does nothing.
  let isRunning = false
  return async ({ id }) => {
    if (isRunning) return
    isRunning = true
    try {
      const copied = await call(copy, { id })
      toast(copied.message)
      await Promise.all(lists.map(reload))
      open(copied.id)
    } catch (error) {
      toast(messageOf(error), 'danger')
    } finally {
      isRunning = false
    }
  }
}
