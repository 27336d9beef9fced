import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

/** What a run of the server's tests found: read by `test.ts`, which counts it and says it again at the end. */
export interface ServerReport {
  passed: number
  failed: { name: string; error: string }[]
  /** Failed once and passed the second time. */
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
        const told = { name: `${file} ${test.fullName}`, error: errorOf(errors) }
        if (state === 'failed') report.failed.push(told)
        if (state === 'passed') report.passed += 1
        if (test.diagnostic()?.flaky) report.flaky.push(told)
      }
    }
    writeFileSync(SERVER_REPORT, JSON.stringify(report))
  }
}
