import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { englishCatalog } from './english-catalog.ts'

const labels = readFileSync(new URL('spec-labels.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')

test('keeps every label of the specification to the letter', async () => {
  const messages = new Set((await englishCatalog()).map(({ message }) => message))
  expect(labels.length).toBeGreaterThan(200)
  expect(labels.filter((label) => !messages.has(label))).toEqual([])
})
