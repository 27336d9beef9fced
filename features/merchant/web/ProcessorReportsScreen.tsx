import { Trans, useLingui } from '@lingui/react/macro'
import { Download } from 'lucide-react'
import { addDays } from '../../../shared/dates.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { page } from '../../../web/page.ts'
import { messageOf } from '../../../web/call.ts'
import { useResponse } from '../../../web/query.ts'
import { may } from '../../../web/session.ts'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { Button, LinkButton } from '../../../web/ui/Button.tsx'
import { Panel } from '../../../web/ui/Card.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { PageHead } from '../../../web/ui/Page.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { processorReports } from '../contract.ts'
import { ACCESSES, type PageId } from '../rules.ts'
import { logAccess } from './log-access.ts'
import { type Report, useReports } from './reports.ts'

/** Default period, in days, of a report that is opened from a link. */
const DAYS = 30

/** Screen with the payment provider's reports, shown as lists in the portal. Each access is recorded. */
export default function ProcessorReportsScreen() {
  return (
    <>
      <PageHead
        title={<Trans>Processor Reports</Trans>}
        actions={
          may('audit', 'view') && (
            <LinkButton to={ACCESSES}>
              <Trans>View access log</Trans>
            </LinkButton>
          )
        }
      >
        <Trans>Reports from the card payment processor, compared with the ledger.</Trans>
      </PageHead>
      <ResponseView response={useResponse(processorReports, {})} loading={<Trans>Loading reports</Trans>} shape="rows">
        {(processor) => <Reports {...processor} />}
      </ResponseView>
    </>
  )
}

function Reports({ processorId, name }: ResponseOf<typeof processorReports>) {
  const period = { fromDate: addDays(page().today, -DAYS), toDate: page().today }
  const reports = useReports(period)
  return (
    <Panel id="reports" title={<Trans>Reports from {name}</Trans>}>
      <p className="mb-3 text-muted">
        <Trans>
          Exported files cover the last {DAYS} days. The Form 1099-K file covers this year. Each access is logged with
          your name.
        </Trans>
      </p>
      <ul>
        {reports.map((report) => (
          <ReportRow key={report.page} report={report} processor={processorId} />
        ))}
      </ul>
    </Panel>
  )
}

function ReportRow({ report: { page, name, text, to, save }, processor }: { report: Report; processor: number }) {
  const { t } = useLingui()
  const opened = (how: 'open_report' | 'export_report', of: PageId) => logAccess(how, processor, of)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line border-b py-3 last:border-b-0">
      <span className="min-w-0 flex-1 basis-60">
        <Link className="link font-bold" to={to} onClick={() => opened('open_report', page)}>
          {name}
        </Link>
        <span className="block text-muted text-sm">{text}</span>
      </span>
      {save && may('merchant_reports', 'create') && (
        <Button
          size="small"
          icon={Download}
          aria-label={t`Export CSV: ${name}`}
          onClick={() => {
            opened('export_report', page)
            save().catch((problem: unknown) => toast(messageOf(problem), 'danger'))
          }}
        >
          <Trans>Export CSV</Trans>
        </Button>
      )}
    </li>
  )
}
