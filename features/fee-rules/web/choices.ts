import { say, translated } from '../../../shared/messages.ts'
import { brands, channels, fundings } from '../../payments/rules-fees.ts'

type Choice = { value: string; label: string }

const choicesOf = (names: Readonly<Record<string, string>>): Choice[] =>
  Object.entries(names).map(([value, label]) => ({ value, label: translated(label) }))

export const kindChoices = (kinds: readonly { kind: string; label: string }[]): Choice[] => [
  { value: '', label: say`Items without their own rule` },
  ...kinds.map(({ kind, label }) => ({ value: kind, label })),
]

/** Lists the channels with fees. The counter has no fees, so the "all" choice lists the channels in its label. */
export function channelChoices(): Choice[] {
  const withFees = choicesOf(channels).filter(({ value }) => value !== 'office')
  const names = withFees.map(({ label }) => label).join(', ')
  return [{ value: '', label: say`All channels with fees: ${names}` }, ...withFees]
}

export const cardChoices = (): Choice[] => [
  { value: '', label: say`All cards` },
  ...choicesOf(brands),
  ...choicesOf(fundings),
]
