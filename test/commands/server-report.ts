import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

/**
 * Results of a run of the server tests. `test.ts` adds up the counts, and at the end prints the failed and flaky tests.
 */
export interface ServerReport {
  passed: number
  failed: { name: string; error: string }[]
  /** Tests that failed at first and passed when they were retried. */
  flaky: { name: string; error: string }[]
  files: { file: string; ms: number }[]
}

export const SERVER_REPORT = 'test-results/server.json'

type ReportedError = { message: string } | undefined
const errorOf = (errors: readonly ReportedError[] | undefined): string => errors?.[0]?.message ?? ''

export default class implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly { message: string }[]): void {
    const report: ServerReport = { passed: 0, failed: [], flaky: [], files: [] }
    for (const error of unhandled) report.failed.push({ name: 'outside of any test', error: error.message })
    for (const module of modules) {
      const file = relative(process.cwd(), module.moduleId)
      report.files.push({ file, ms: module.diagnostic().duration })
      for (const error of module.errors()) report.failed.push({ name: file, error: error.message })
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result()
        const testResult = { name: `${file} ${test.fullName}`, error: errorOf(errors) }
        if (state === 'failed') report.failed.push(testResult)
        if (state === 'passed') report.passed += 1
        if (test.diagnostic()?.flaky) report.flaky.push(testResult)
      }
    }
    writeFileSync(SERVER_REPORT, JSON.stringify(report))
  }
}
