import { Trans, useLingui } from '@lingui/react/macro'
import { MessageSquarePlus } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { shortDay } from '../../../../web/clock.ts'
import { returnCompanyMap } from '../../../../shared/places.ts'
import { setQuery } from '../../../../web/go.ts'
import { idIn } from '../../../../web/id-in.ts'
import { CompanyMap } from '../../../../web/places/CompanyMap.tsx'
import { useResponse } from '../../../../web/query.ts'
import { type ScreenUrl, useQueryText } from '../../../../web/routes.tsx'
import { ResponseView } from '../../../../web/ui/ResponseView.tsx'
import { Button, LinkButton } from '../../../../web/ui/Button.tsx'
import { Select } from '../../../../web/ui/Choice.tsx'
import { Link } from '../../../../web/ui/Link.tsx'
import { Scripted } from '../../../../web/ui/PlainForm.tsx'
import { Measure, PageHead, Pagination } from '../../../../web/ui/Page.tsx'
import { EmptyState } from '../../../../web/ui/States.tsx'
import { type PublicRequest, publicRequests } from '../../contract.ts'
import { PUBLIC_DAYS, requestStatus } from '../../rules.ts'
import { requestStates } from '../../states.ts'
import { FollowButton } from './FollowButton.tsx'
import { RequestLine } from './RequestLine.tsx'
import { Text } from '../../../../web/ui/Text.tsx'

/** Returns the filters of a query string, as the call takes them. */
function filtersIn(query: URLSearchParams) {
  const categoryId = idIn(query.get('category'))
  const stands = query.get('stands')
  const cursor = query.get('cursor')
  return {
    ...(categoryId !== null && { categoryId }),
    ...((stands === 'open' || stands === 'done') && ({ stands } as const)),
    ...(cursor && { cursor }),
  }
}

export const calls = ({ query }: ScreenUrl) =>
  [
    [publicRequests, filtersIn(query)],
    [returnCompanyMap, {}],
  ] as const

/** Recent public requests on a map and in a list, without the requesters. The URL contains the filters. */
export default function ReportedScreen() {
  const { t } = useLingui()
  const filters = filtersIn(new URLSearchParams(useQueryText()))
  const response = useResponse(publicRequests, filters)
  const { data } = response
  return (
    <Measure className="py-10 md:py-14">
      <PageHead
        title={<Trans>Reported problems</Trans>}
        actions={
          <LinkButton to="/communication/new" variant="primary" icon={MessageSquarePlus}>
            <Trans>Report a problem</Trans>
          </LinkButton>
        }
      >
        <Trans>Problems that people reported in the last {PUBLIC_DAYS} days. Names and messages are not shown.</Trans>
      </PageHead>
      <form
        data-plain
        action="/communication/reported#main"
        className="mb-6 flex flex-wrap items-end gap-4"
        onSubmit={(event) => event.preventDefault()}
      >
        <Select
          className="w-64"
          label={t`About`}
          name="category"
          value={filters.categoryId ?? ''}
          onChange={({ target }) => setQuery({ category: target.value || null, cursor: null })}
          options={[
            { value: '', label: t`Everything` },
            ...(data?.categories ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        <Select
          className="w-48"
          label={t`Status`}
          name="stands"
          value={filters.stands ?? ''}
          onChange={({ target }) => setQuery({ stands: target.value || null, cursor: null })}
          options={[
            { value: '', label: t`All` },
            { value: 'open', label: t`Open` },
            { value: 'done', label: t`Completed` },
          ]}
        />
        <noscript>
          <Button type="submit">
            <Trans>Show</Trans>
          </Button>
        </noscript>
      </form>
      <ResponseView response={response} loading={<Trans>Loading reported problems</Trans>}>
        {({ rows, next, previous }) =>
          rows.length === 0 ? (
            <EmptyState title={<Trans>No reported problems</Trans>}>
              <Trans>Choose another filter, or report a problem.</Trans>
            </EmptyState>
          ) : (
            <div className="grid items-start gap-8 lg:grid-cols-2">
              <div className="min-w-0">
                <Rows rows={rows} />
                <Scripted
                  className="mt-5"
                  otherwise={
                    <p className="mt-5 flex gap-5">
                      <PageLink cursor={previous} label={<Trans>Previous</Trans>} />
                      <PageLink cursor={next} label={<Trans>Next</Trans>} />
                    </p>
                  }
                >
                  <Pagination
                    onPrevious={previous === null ? null : () => setQuery({ cursor: previous })}
                    onNext={next === null ? null : () => setQuery({ cursor: next })}
                  />
                </Scripted>
              </div>
              <OnMap rows={rows} />
            </div>
          )
        }
      </ResponseView>
    </Measure>
  )
}

/** Link to another part of the list, in a page without JavaScript. */
function PageLink({ cursor, label }: { cursor: string | null; label: ReactNode }) {
  const query = new URLSearchParams(useQueryText())
  if (cursor === null) return null
  query.set('cursor', cursor)
  return (
    <Link className="link" to={`/communication/reported?${query}#main`}>
      {label}
    </Link>
  )
}

function Rows({ rows }: { rows: readonly PublicRequest[] }) {
  return (
    <ul className="divide-y divide-line border-line border-y">
      {rows.map(({ publicId, number, title, location, at, closedAt, status }) => (
        <li key={publicId} className="flex flex-col gap-2 py-3">
          <RequestLine title={title} number={number} status={status} location={location}>
            <Trans>Reported on {shortDay(at)}</Trans>
            {closedAt && (
              <>
                <Text>{' · '}</Text>
                <Trans>Completed on {shortDay(closedAt)}</Trans>
              </>
            )}
          </RequestLine>
          {status !== requestStatus.completed && <FollowButton publicId={publicId} number={number} />}
        </li>
      ))}
    </ul>
  )
}

const kinds = {
  good: 'good',
  waiting: 'waiting',
  attention: 'bad',
  undone: 'bad',
  bad: 'bad',
  neutral: 'neutral',
} as const

/** Map of the requests that have coordinates. The list next to it shows the same content as text. */
function OnMap({ rows }: { rows: readonly PublicRequest[] }) {
  const { t } = useLingui()
  const marks = useMemo(
    () =>
      rows.flatMap(({ id, title, number, lat, lon, status }) =>
        lat === null || lon === null
          ? []
          : [{ id, lat, lon, label: `${title}, ${number}`, kind: kinds[requestStates.states[status].kind] }],
      ),
    [rows],
  )
  // Waits until the zones of the map have loaded, so that the content below does not move.
  const companyMap = useResponse(returnCompanyMap, {})
  if (!companyMap.data && !companyMap.error) return null
  return <CompanyMap label={t`Map of reported problems`} marks={marks} />
}
