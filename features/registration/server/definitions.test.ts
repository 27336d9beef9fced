import { expect, test } from 'vitest'
import { allFields } from '../../../shared/fields/walk.ts'
import { firstDefinitions } from './definitions.ts'

test('uses validating fields for phone numbers and emails', () => {
  const fields = Object.values(firstDefinitions)
    .flatMap(allFields)
    .flatMap((field): { label: string; type: string }[] =>
      field.type === 'table' ? [field, ...field.columns] : [field],
    )
  const unchecked = fields.filter(({ label, type }) => /^(phone|email|zip|state)\b/i.test(label) && type === 'text')
  expect(unchecked.map(({ label }) => label)).toEqual([])
})
