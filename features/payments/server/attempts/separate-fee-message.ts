import { say } from '../../../../shared/messages.ts'
import type { FeeStatus } from '../../states.ts'

/** Returns the text on the receipt about the status of a separate fee. */
export function separateFeeMessage(amount: string, status: FeeStatus): string {
  switch (status) {
    case 'waiting':
      return say`Service fee ${amount}, to be charged separately`
    case 'charged':
      return say`Service fee ${amount}, charged separately`
    case 'owed':
      return say`Service fee ${amount}, owed because its charge was declined`
    case 'waived':
      return say`Service fee ${amount}, waived`
    case 'dropped':
      return say`Service fee ${amount}, not owed`
  }
}
