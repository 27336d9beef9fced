import type { Config } from './config.ts'
import { sql } from 'kysely'
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

export interface VerifyResult {
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
export type Verify = (parts: VerifyParts) => Promise<VerifyResult>

/** Something that holds of all towns, asked in SQL: `wrong` answers what is wrong, with `company_id` and a sentence `what`. */
export interface Check {
  holds: string
  /** The table that it looks through, with a condition where that is not all of it. */
  of: string
  wrong: string
}

const MAX_VISIBLE = 5

interface CheckResult {
  looked: number | string
  wrong: number | string
  first: string[] | null
}

/** Makes a check. `ask` runs a statement where the rows of every town are seen. */
export async function makeCheck(
  ask: (text: string) => Promise<CheckResult[]>,
  { holds, of, wrong }: Check,
): Promise<Finding> {
  const [row] = await ask(
    `SELECT (SELECT count(*) FROM ${of}) AS looked, count(*) AS wrong,
      (array_agg(concat_ws(': ', 'town ' || company_id, what) ORDER BY company_id, what))[1:${MAX_VISIBLE}] AS first FROM (${wrong}) AS found`,
  )
  return { holds, looked: Number(row?.looked), wrong: Number(row?.wrong), first: row?.first ?? [] }
}

/** What a feature looks through where some checks are all of it. */
export const verifyBy =
  (checks: readonly Check[]): Verify =>
  async ({ acrossCompanies }) => {
    const findings: Finding[] = []
    for (const check of checks)
      findings.push(
        await acrossCompanies((tx) =>
          makeCheck(async (text) => (await sql.raw<CheckResult>(text).execute(tx)).rows, check),
        ),
      )
    return { findings }
  }

/** All that the features look through. */
export async function verifyAll(
  features: readonly { verify?: Verify }[],
  parts: VerifyParts,
): Promise<Required<VerifyResult>> {
  const all: Required<VerifyResult> = { findings: [], lines: [] }
  for (const { verify } of features) {
    const { findings = [], lines = [] } = (await verify?.(parts)) ?? {}
    all.findings.push(...findings)
    all.lines.push(...lines)
  }
  return all
}

/** For a terminal: what was looked at, what is wrong. */
export const describeVerified = ({ findings, lines = [] }: VerifyResult): string[] => [
  ...findings.flatMap(({ holds, looked, wrong, first }) => [
    `${wrong === 0 ? '✓' : '✗'} ${holds} (${wrong === 0 ? '' : `${wrong.toLocaleString('en-US')} wrong, `}${looked.toLocaleString('en-US')} looked at)`,
    ...first.map((line) => `    ${line}`),
  ]),
  ...lines,
]

export const isSound = ({ findings }: Pick<VerifyResult, 'findings'>): boolean =>
  findings.every(({ wrong }) => wrong === 0)
