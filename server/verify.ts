import type { Config } from './config.ts'
import type { AcrossCompanies } from './tenancy.ts'

/** What one check looked at, and what it found wrong. */
export interface Finding {
  /** What holds where nothing is wrong. */
  holds: string
  /** How many things were looked at. */
  looked: number
  wrong: number
  /** The first of them: the town's id, what, and what is wrong with it. */
  first: string[]
}

export interface Verified {
  findings: Finding[]
  /** What is good to know besides, in lines for a terminal. */
  lines?: string[]
}

export interface VerifyParts {
  config: Config
  /** The URL of the role that sees every town. */
  platformUrl: string
  acrossCompanies: AcrossCompanies
  /** Whether other systems are asked, too. */
  outside: boolean
}

/** Looks through what a feature keeps, of all towns, and changes nothing. */
export type Verify = (parts: VerifyParts) => Promise<Verified>

/** All that the features look through. */
export async function verifyAll(
  features: readonly { verify?: Verify }[],
  parts: VerifyParts,
): Promise<Required<Verified>> {
  const all: Required<Verified> = { findings: [], lines: [] }
  for (const { verify } of features) {
    const { findings = [], lines = [] } = (await verify?.(parts)) ?? {}
    all.findings.push(...findings)
    all.lines.push(...lines)
  }
  return all
}

/** For a terminal: what was looked at, what is wrong. */
export const describeVerified = ({ findings, lines = [] }: Verified): string[] => [
  ...findings.flatMap(({ holds, looked, wrong, first }) => [
    `${wrong === 0 ? '✓' : '✗'} ${holds} (${wrong === 0 ? '' : `${wrong.toLocaleString('en-US')} wrong, `}${looked.toLocaleString('en-US')} looked at)`,
    ...first.map((line) => `    ${line}`),
  ]),
  ...lines,
]

export const isSound = ({ findings }: Pick<Verified, 'findings'>): boolean => findings.every(({ wrong }) => wrong === 0)
