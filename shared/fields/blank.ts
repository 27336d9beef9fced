import type { Column, Comparison, Condition, Definition, Field, FieldOf, FieldType, FormStep } from './definition.ts'
import { say } from '../messages.ts'

/** Blank fields and steps, for the builder and for tests. */

const common = { label: '', help: '', required: false, showWhen: null }
const option = (label: string) => ({ value: label.toLowerCase(), label })

const blanks: { [Type in FieldType]: Omit<FieldOf<Type>, 'name' | keyof typeof common> } = {
  text: { type: 'text', long: false, minLength: 0, maxLength: 200, prefill: null },
  choice: { type: 'choice', options: [option('Yes'), option('No')] },
  choices: { type: 'choices', options: [option('First'), option('Second')], min: 0, max: null },
  date: { type: 'date', earliest: null, latest: null, prefill: null },
  checkbox: { type: 'checkbox' },
  number: { type: 'number', min: 0, max: null, decimals: 0 },
  payment: { type: 'payment', fixed: null, min: null, max: null },
  money: { type: 'money', min: null, max: null },
  address: { type: 'address', prefill: null },
  email: { type: 'email', prefill: null },
  phone: { type: 'phone', prefill: null },
  file: { type: 'file', accept: 'images', maxFiles: 3, maxMegabytes: 10 },
  signature: { type: 'signature' },
  table: { type: 'table', columns: [], min: 0, max: 20 },
  reading: { type: 'reading', text: '' },
  computed: { type: 'computed', terms: { '+': [] }, charged: false },
}

export const blankField = <Type extends FieldType>(type: Type, name: string): FieldOf<Type> =>
  ({ ...common, ...blanks[type], name }) as unknown as FieldOf<Type>

export const blankColumn = <Type extends Column['type']>(type: Type, name: string): Extract<Column, { type: Type }> =>
  blankField(type, name) as never

export const blankStep = (id: string): FormStep => ({ id, title: '', intro: '', showWhen: null, fields: [] })

export const oneStep = (...fields: Field[]): Definition => ({
  steps: [{ ...blankStep('step'), title: say`Step`, fields }],
})

/** Creates a condition that is true only if all comparisons are true. */
export const whenAll = (...and: Comparison[]): Condition => ({ and })
