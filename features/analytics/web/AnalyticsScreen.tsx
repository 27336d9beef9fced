import { Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChartColumn, Printer } from 'lucide-react'
import { formatShortDate } from '../../../shared/dates.ts'
import { call } from '../../../web/call.ts'
import { shortInstant } from '../../../web/clock.ts'
import { keyOf, queries } from '../../../web/query.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { PageHead, SkipLink } from '../../../web/ui/Page.tsx'
import { EmptyState, Failed, LoadingState } from '../../../web/ui/States.tsx'
import { analytics } from '../contract.ts'
import './analytics.css'
import { AnalyticsFilters } from './AnalyticsFilters.tsx'
import { Charts } from './Charts.tsx'
import { Headlines } from './Headlines.tsx'
import type { AnalyticsResponse } from './parts.ts'
import { useQuestion } from './use-question.ts'

/** Shows the usage of the portals in a period and in the period before it (spec 2.4, 2.12). */
export default function AnalyticsScreen() {
  const { t } = useLingui()
  const question = useQuestion()
  const { fromDate, toDate, company, by } = question
  const query = { fromDate, toDate, company, by }
  const { data, error, isPending, isFetching, refetch } = useQuery(
    {
      queryKey: keyOf(analytics, query),
      queryFn: ({ signal }) => call(analytics, query, { signal }),
      placeholderData: keepPreviousData,
    },
    queries,
  )
  return (
    <>
      <SkipLink to="figures">
        <Trans>Skip to the figures</Trans>
      </SkipLink>
      <PageHead
        title={<Trans>Analytics</Trans>}
        actions={
          <Button icon={Printer} onClick={() => globalThis.print()}>
            <Trans>Print</Trans>
          </Button>
        }
      />
      <AnalyticsFilters question={question} />
      <div id="figures" tabIndex={-1} aria-busy={isFetching} className="outline-none">
        {isPending && !error && <LoadingState shape="block">{t`Loading figures`}</LoadingState>}
        {error && <Failed error={error} onRetry={() => void refetch()} />}
        {data && !error && <Everything data={data} />}
      </div>
    </>
  )
}

function Everything({ data }: { data: AnalyticsResponse }) {
  if (data.asOf === null)
    return (
      <EmptyState icon={ChartColumn} title={<Trans>No figures yet</Trans>}>
        <Trans>The portal updates the figures every 15 minutes. The first figures will appear soon.</Trans>
      </EmptyState>
    )
  return (
    <>
      <AsOf data={data} asOf={data.asOf} />
      <Headlines data={data} />
      <Charts data={data} />
    </>
  )
}

function AsOf({ data: { query, before }, asOf }: { data: AnalyticsResponse; asOf: string }) {
  const time = shortInstant(asOf)
  const [from, to] = [formatShortDate(query.fromDate), formatShortDate(query.toDate)]
  const [beforeFrom, beforeTo] = [formatShortDate(before.fromDate), formatShortDate(before.toDate)]
  return (
    <div className="mb-6 text-muted text-sm">
      <p role="status">
        <Trans>Figures as of {time}</Trans>
      </p>
      <p>
        {before.counted ? (
          <Trans>
            {from} to {to}, in each municipality’s time zone, compared with {beforeFrom} to {beforeTo}.
          </Trans>
        ) : (
          <Trans>
            {from} to {to}, in each municipality’s time zone. No figures are available for the previous period.
          </Trans>
        )}
      </p>
    </div>
  )
}
