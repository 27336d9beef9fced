import { formatCents } from '../../../shared/money.ts'
import { say } from '../../../shared/messages.ts'
import type { PlannedPart } from '../contract.ts'

/** Describes a part, such as '6 × Cold patch, bag ($18.99 each)'. */
export const partText = ({ text, quantity, unitCents }: PlannedPart): string =>
  unitCents === 0 ? `${quantity} × ${text}` : say`${quantity} × ${text} (${formatCents(unitCents)} each)`

const textOf = (parts: unknown) => (parts as PlannedPart[]).map(partText).join('\n')

/** Returns the texts of the parts for messages about edit conflicts. */
export const partsLabels = (field: string, others: unknown, own: unknown) =>
  field === 'parts' ? { label: say`Parts to bring`, texts: { own: textOf(own), others: textOf(others) } } : {}
