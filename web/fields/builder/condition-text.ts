import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Comparison, Condition, Definition } from '../../../shared/fields/definition.ts'
import { allFields, comparisonsIn, partsOf } from '../../../shared/fields/walk.ts'
import { formatDate } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { operatorLabels, tickLabels } from './labels.ts'

type Translate = (message: MessageDescriptor) => string

/**
 * Describes a condition in words, such as "Shown when Pet is Dog and Age is at least 2". Returns '' without a
 * condition.
 */
export function conditionText(condition: Condition | null, definition: Definition, say: Translate): string {
  const lines = comparisonsIn(condition).map((line) => comparisonText(line, definition, say))
  if (condition === null || lines.length === 0) return ''
  const joined = lines.join(` ${'and' in condition ? say(msg`and`) : say(msg`or`)} `)
  return `${say(msg`Shown when`)} ${joined}`
}

function comparisonText(line: Comparison, definition: Definition, say: Translate): string {
  const { name, operator, value } = partsOf(line)
  const field = allFields(definition).find((one) => one.name === name)
  if (!field) return say(msg`(removed field)`)
  const isTick = field.type === 'checkbox' && (operator === 'filled' || operator === 'empty')
  return [`“${field.label}”`, say(isTick ? tickLabels[operator] : operatorLabels[operator]), valueText()]
    .filter((part) => part !== '')
    .join(' ')

  function valueText(): string {
    if (value === undefined) return ''
    if (field && 'options' in field) return `“${field.options.find((one) => one.value === value)?.label ?? value}”`
    if (operator.startsWith('cents_')) return formatCents(Number(value))
    if (operator.startsWith('day_'))
      return value === 'today' ? say(msg`the day the question is answered`) : formatDate(String(value))
    return String(value)
  }
}
