import type { Config } from './config.ts'
import { sql } from 'kysely'
import type { AcrossCompanies } from './tenancy.ts'

export interface Finding {
  /** Rule that the data must meet, as a sentence. */
  holds: string
  looked: number
  violations: number
  /** First violations, each with company id, record and problem. */
  first: string[]
}

export interface VerifyResult {
  findings: Finding[]
  /** Additional lines to print on a terminal. */
  lines?: string[]
}

export interface VerifyParts {
  config: Config
  /** URL of the database role that sees all companies. */
  platformUrl: string
  acrossCompanies: AcrossCompanies
  /** True if the checks may also query other systems. */
  outside: boolean
}

/** Function that checks the stored data of a feature for all companies. It changes nothing. */
export type Verify = (parts: VerifyParts) => Promise<VerifyResult>

/**
 * Rule that a SQL query checks for all companies. The query `violations` returns a row for each violation, with its
 * `company_id` and a sentence in `what`.
 */
export interface Check {
  holds: string
  /** Table to check, with a condition if only some rows are checked. */
  of: string
  violations: string
}

const MAX_VISIBLE = 5

interface CheckResult {
  looked: number | string
  violations: number | string
  first: string[] | null
}

/** Runs a check. `query` runs a statement as a role that sees the rows of all companies. */
export async function makeCheck(
  query: (text: string) => Promise<CheckResult[]>,
  { holds, of, violations }: Check,
): Promise<Finding> {
  const [row] = await query(
    `SELECT (SELECT count(*) FROM ${of}) AS looked, count(*) AS violations,
      (array_agg(concat_ws(': ', 'company ' || company_id, what) ORDER BY company_id, what))[1:${MAX_VISIBLE}] AS first FROM (${violations}) AS violations`,
  )
  return { holds, looked: Number(row?.looked), violations: Number(row?.violations), first: row?.first ?? [] }
}

/** Creates the verification of a feature from SQL checks only. */
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

/** Formats the results for a terminal. */
export const describeVerified = ({ findings, lines = [] }: VerifyResult): string[] => [
  ...findings.flatMap(({ holds, looked, violations, first }) => [
    `${violations === 0 ? '✓' : '✗'} ${holds} (${violations === 0 ? '' : `${violations.toLocaleString('en-US')} violations, `}${looked.toLocaleString('en-US')} checked)`,
    ...first.map((line) => `    ${line}`),
  ]),
  ...lines,
]

export const isSound = ({ findings }: Pick<VerifyResult, 'findings'>): boolean =>
  findings.every(({ violations }) => violations === 0)
