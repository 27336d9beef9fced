import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findChangingTexts, programOf, root } from './changing-texts.ts'

// Type checking of all screens takes several seconds while other test files run.
const TIMEOUT_MS = 300_000

const CASES = {
  'a changing text beside another': ['<p>Total {n}</p>', 1],
  'a text that comes and goes beside an element': ['<p>{name && name}<b>Paid</b></p>', 1],
  'a slot beside an icon': ['<p><br />{slot}</p>', 1],
  'a text in a fragment': ['<>Paid</>', 1],
  'a text after something that comes and goes': ['<p>{n > 1 && <b>Late</b>} Paid</p>', 1],
  'a text after a text that comes and goes': ['<p><Text>{n > 1 && name}</Text> Paid</p>', 1],
  'an element in an option': ['<option><b>Paid</b></option>', 1],
  'an element in a text of a drawing': ['<text><Trans>Paid</Trans></text>', 1],
  'a component that returns a text': ['<p><Bare /> <b>Paid</b></p>', 1],
  'a changing text alone': ['<p>{name}</p>', 0],
  'a changing text in a component alone': ['<Box>{name}</Box>', 0],
  'a changing text in an element of its own': ['<p>Total <b>{n}</b></p>', 0],
  'a fixed text before something that comes and goes': ['<p>Paid {n > 1 && <b>late</b>}</p>', 0],
  'a translated sentence': ['<p>{n > 1 && <Trans>Paid {n}</Trans>}<br /></p>', 0],
  'a value in an element of a translated sentence': ['<Trans>Pay <b>{n} dollars</b></Trans>', 0],
  'a text in an option': ['<option>{name}</option>', 0],
} as const

test('detects each pattern that a translated page breaks', { timeout: TIMEOUT_MS }, () => {
  const head = `import type { ReactNode } from 'react'
import { Trans } from '@lingui/react/macro'
declare const n: number, name: string, slot: ReactNode
const Box = ({ children }: { children: ReactNode }) => <div>{children}</div>
const Text = Box
const Bare = (): string => name\n`
  const files = Object.values(CASES).map(([code], i) => [
    `web/case-${i}.tsx`,
    `${head}export const shown = [Box, Text, Bare, Trans, n, name, slot, ${code}]`,
  ])
  const { findings } = findChangingTexts(programOf([], Object.fromEntries(files)))
  const counts = Object.keys(CASES).map((name, i) => [
    name,
    findings.filter((line) => line.startsWith(`web/case-${i}.tsx`)).length,
  ])
  expect(Object.fromEntries(counts)).toEqual(
    Object.fromEntries(Object.entries(CASES).map(([name, [, expected]]) => [name, expected])),
  )
})

test('keeps each changing text of a screen as the only child of its element', { timeout: TIMEOUT_MS }, () => {
  const { files, findings } = findChangingTexts(
    programOf(globSync('{web,portal,features/*/web}/**/*.tsx', { cwd: root })),
  )
  expect(files).toBeGreaterThan(700)
  expect(findings).toEqual([])
})
