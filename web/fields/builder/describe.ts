import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { same } from '../../../shared/edits.ts'
import type { Condition, Definition, Field, FieldOption, FormStep } from '../../../shared/fields/definition.ts'
import { formatCents } from '../../../shared/money.ts'
import { conditionText } from './condition-text.ts'
import { prefillLabels, typeLabels } from './labels.ts'

type Translate = (message: MessageDescriptor) => string
/** A field, or a step without its fields. */
export type DescribedNode = Field | Omit<FormStep, 'fields'>

/** Labels of the parts of a field or step, as in its editor. */
const partLabels: Record<string, MessageDescriptor> = {
  title: msg`Title`,
  intro: msg`Introduction`,
  label: msg`Label`,
  type: msg`Type`,
  help: msg`Help`,
  required: msg`Required`,
  showWhen: msg`Display condition`,
  long: msg`Multiple lines`,
  minLength: msg`Minimum characters`,
  maxLength: msg`Maximum characters`,
  options: msg`Answer choices`,
  columns: msg`Columns`,
  min: msg`Minimum`,
  max: msg`Maximum`,
  decimals: msg`Decimal places`,
  fixed: msg`Fixed amount`,
  earliest: msg`Earliest day`,
  latest: msg`Latest day`,
  accept: msg`Accepted files`,
  maxFiles: msg`Maximum files`,
  maxMegabytes: msg`Maximum MB per file`,
  text: msg`Text`,
  terms: msg`Lines in the total`,
  charged: msg`Charge this amount`,
  prefill: msg`Prefill with`,
}

/** Describes the parts of `one` that differ from `other`. Without `other`, it describes all parts. */
export function differences(
  one: DescribedNode,
  other: DescribedNode | null,
  definition: Definition,
  say: Translate,
): { part: string; label: string; text: string }[] {
  const [own, others] = [one, other ?? {}] as Record<string, unknown>[]
  const parts = other === null ? ['title', 'label', 'type'] : Object.keys(partLabels)
  return parts.flatMap((part) => {
    const label = partLabels[part]
    if (!label || !own || !(part in own) || same(own[part], others?.[part])) return []
    return [{ part, label: say(label), text: valueText(part, own[part]) }]
  })

  function valueText(part: string, value: unknown): string {
    const isMoney = 'type' in one && (one.type === 'money' || one.type === 'payment')
    if (part === 'showWhen') return conditionText(value as Condition | null, definition, say) || say(msg`Always`)
    if (part === 'type') return say(typeLabels[value as Field['type']])
    if (part === 'prefill' && value) return say(prefillLabels[value as 'email'])
    if (part === 'terms') return String((value as { '+': unknown[] })['+'].length)
    if (Array.isArray(value)) return value.map((entry: FieldOption) => entry.label).join(', ')
    if (typeof value === 'boolean') return value ? say(msg`Yes`) : say(msg`No`)
    if (value === 'today') return say(msg`Day the question is answered`)
    if (value === null || value === '') return say(msg`(empty)`)
    return isMoney && typeof value === 'number' ? formatCents(value) : String(value as string | number)
  }
}
