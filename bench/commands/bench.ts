import { cpus, totalmem } from 'node:os'
import { account } from '../account.ts'
import { alerts } from '../alerts.ts'
import { autopay } from '../autopay.ts'
import { faqs } from '../faqs.ts'
import { find } from '../find.ts'
import { forms } from '../forms.ts'
import { growth } from '../growth.ts'
import { http } from '../http.ts'
import { imports } from '../import.ts'
import { type Row, table } from '../measure.ts'
import { oddFiles } from '../odd-files.ts'
import { pages } from '../pages.ts'
import { payment } from '../payment.ts'
import { openEnvironment, type BenchEnvironment } from '../environment.ts'
import { places } from '../places.ts'
import { platform } from '../platform.ts'
import { reconciliation } from '../reconciliation.ts'
import { rentals } from '../rentals.ts'
import { report } from '../report.ts'
import { requests } from '../requests.ts'
import { rude } from '../rude.ts'
import { records } from '../records.ts'
import { workbooks } from '../workbook.ts'

/**
 * Command: `npm run bench [-- http rude payment autopay report growth platform reconciliation import places account
 * requests forms faqs find alerts rentals odd-files pages workbook records]`. Compares the cost of the portal with that of a minimal
 * implementation. Their runs alternate.
 */
const sections: Record<string, (environment: BenchEnvironment) => Promise<Row[]>> = {
  http,
  rude,
  payment,
  autopay,
  report,
  growth,
  platform,
  reconciliation,
  import: imports,
  places,
  account,
  requests,
  forms,
  faqs,
  find,
  alerts,
  rentals,
  'odd-files': oddFiles,
  pages,
  workbook: workbooks,
  records,
}

const requested = process.argv.slice(2)
const unknown = requested.filter((name) => !(name in sections))
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}: choose of ${Object.keys(sections).join(', ')}.`)
  process.exit(2)
}
// Exits on a signal, because the exit handler stops the embedded database.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
const environment = await openEnvironment()
try {
  const rows: Row[] = []
  for (const [name, run] of Object.entries(sections)) {
    if (requested.length > 0 && !requested.includes(name)) continue
    console.error(`measuring: ${name}`)
    rows.push(...(await run(environment)))
  }
  const memory = Math.round(totalmem() / 2 ** 30)
  console.log(
    `${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${memory} GiB, Node ${process.versions.node}\n`,
  )
  console.log(table(rows))
} finally {
  await environment.close()
}
