import type { Values } from '../edits.ts'
import type { Step } from './definition.ts'
import { say } from '../words.ts'

/** What staff edit together: the name and the steps. */
export interface Editable {
  name: string
  steps: Step[]
}

const keyOf = (id: string) => `step ${id}`

/** In parts that are merged one by one, so that two people can work on two steps at once. */
export const toParts = ({ name, steps }: Editable): Values => ({
  name,
  order: steps.map(({ id }) => id),
  ...Object.fromEntries(steps.map((step) => [keyOf(step.id), step])),
})

/** Steps that somebody else added meanwhile are in `now` alone. */
export const fromParts = (merged: Values, now: Values): Editable => ({
  name: String(merged['name']),
  steps: (merged['order'] as string[]).map((id) => (merged[keyOf(id)] ?? now[keyOf(id)]) as Step),
})

/** What a part is called where two people changed it. */
export const partLabel = (part: string, value: unknown): string =>
  part === 'name'
    ? say`Name`
    : part === 'order'
      ? say`Order of the steps`
      : say`Step “${(value as Step | null)?.title ?? ''}”`
