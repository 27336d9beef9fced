import type { Amount, Comparison, Condition, Definition, Field, FieldOf, Operator, Term } from './definition.ts'

/**
 * Helpers that traverse a definition. They are in a separate file from the schema, so that residents' browsers do not
 * load the schema.
 */

export const allFields = ({ steps }: Definition): Field[] => steps.flatMap(({ fields }) => fields)

/** Lists the comparisons of a condition in order. */
export const comparisonsIn = (when: Condition | null): Comparison[] =>
  when === null ? [] : 'and' in when ? when.and : when.or

export interface ComparisonView {
  operator: Operator
  name: string
  value: string | number | undefined
}

/** Returns the parts of a comparison: field, operator and value. */
export function partsOf(one: Comparison): ComparisonView {
  const [operator, [{ var: of_ }, value]] = Object.entries(one)[0] as [Operator, [{ var: string }, string | number]]
  return { operator, name: of_, value }
}

export const comparisonOf = ({ operator, name: of_, value }: ComparisonView): Comparison => ({
  [operator]: value === undefined ? [{ var: of_ }] : [{ var: of_ }, value],
})

/** Returns the amount and the condition of a line. */
export const termParts = (line: Term): { amount: Amount; when: Comparison | null } =>
  'if' in line ? { amount: line.if[1], when: line.if[0] } : { amount: line, when: null }

/** Lists the fields that a line of a computed amount reads. */
export function namesInTerm(line: FieldOf<'computed'>['terms']['+'][number]): string[] {
  const { amount, when } = termParts(line)
  const names = when ? [partsOf(when).name] : []
  if ('var' in amount) names.push(amount.var)
  else if ('times' in amount) names.push(amount.times[0].var)
  else if ('sum' in amount) names.push(amount.sum[0])
  return names
}

/** True if any field sets an amount that the person must pay. */
export const chargeable = (definition: Definition): boolean =>
  allFields(definition).some((field) => field.type === 'payment' || (field.type === 'computed' && field.charged))
