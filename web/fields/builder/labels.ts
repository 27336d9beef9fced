import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { FieldType, Operator, Prefill } from '../../../shared/fields/definition.ts'

/** Labels of field types, operators and prefill sources. */

export const typeLabels: Record<FieldType, MessageDescriptor> = {
  text: msg`Text`,
  choice: msg`Single choice`,
  choices: msg`Multiple choices`,
  date: msg`Date`,
  checkbox: msg`Checkbox`,
  number: msg`Number`,
  money: msg`Dollar amount`,
  payment: msg`Payment`,
  address: msg`Address`,
  email: msg`Email`,
  phone: msg`Phone`,
  file: msg`File`,
  signature: msg`Signature`,
  table: msg`Table`,
  reading: msg`Text block`,
  computed: msg`Computed amount`,
}

export const operatorLabels: Record<Operator, MessageDescriptor> = {
  filled: msg`is answered`,
  empty: msg`is not answered`,
  '==': msg`is`,
  '!=': msg`is not`,
  includes: msg`includes`,
  lacks: msg`does not include`,
  '>': msg`is more than`,
  '>=': msg`is at least`,
  '<': msg`is less than`,
  '<=': msg`is at most`,
  day_is: msg`is on`,
  day_before: msg`is before`,
  day_after: msg`is after`,
  years_ago: msg`is at least this many years ago:`,
  cents_is: msg`is exactly`,
  cents_over: msg`is more than`,
  cents_under: msg`is less than`,
}

/** Labels of operators for a checkbox, which need different words. */
export const tickLabels = { filled: msg`is checked`, empty: msg`is not checked` }

export const prefillLabels: Record<Prefill, MessageDescriptor> = {
  full_name: msg`the person’s full name`,
  first_name: msg`the person’s first name`,
  last_name: msg`the person’s last name`,
  email: msg`the person’s email`,
  phone: msg`the person’s phone`,
  address: msg`the person’s address`,
  today: msg`today`,
}
