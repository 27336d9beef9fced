import { Trans, useLingui } from '@lingui/react/macro'
import { useMemo } from 'react'
import { formatShortDate } from '../../../shared/dates.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { CompanyMap } from '../../../web/places/CompanyMap.tsx'
import { useResponse } from '../../../web/query.ts'
import { ResponseSlideOut } from '../../../web/ui/ResponseView.tsx'
import { DetailList } from '../../../web/ui/Card.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { returnProperty } from '../contract.ts'
import { Rows } from './Rows.tsx'
import { Code, Text } from '../../../web/ui/Text.tsx'

type Property = ResponseOf<typeof returnProperty>

/** One property for staff who get questions about an address: owner, water accounts with dates, and open items. */
export function PropertySlideOut({ id, onClose }: { id: number; onClose: () => void }) {
  const response = useResponse(returnProperty, { parcelId: id })
  const { data } = response
  return (
    <ResponseSlideOut
      title={data ? data.address || <Trans>Parcel {data.number}</Trans> : <Trans>Loading</Trans>}
      onClose={onClose}
      response={response}
      loading={<Trans>Loading the property</Trans>}
      failed={<Trans>This property could not be loaded</Trans>}
    >
      {(property) => <Everything property={property} />}
    </ResponseSlideOut>
  )
}

function Everything({ property }: { property: Property }) {
  const { t } = useLingui()
  const { number, owner, landUse, zones, accounts, openItems, outline, lat, lon } = property
  const pin = useMemo(() => (outline.length === 0 ? { lat, lon } : null), [outline, lat, lon])
  return (
    <>
      <DetailList
        className="text-table"
        details={[
          [t`Parcel`, number],
          [t`Owner`, owner || '–'],
          [t`Land use`, landUse || '–'],
          [t`Zones`, zones.map((zone) => `${zone.kind}: ${zone.name}`).join(', ') || t`None`],
        ]}
      />
      <Rows
        title={<Trans>Utility accounts and customers</Trans>}
        none={<Trans>This address has no utility account.</Trans>}
        rows={accounts.map((account) => ({
          id: account.number,
          what: (
            <>
              <Link className="link" to={`/municipality/reports/customers/citizen?account=${account.id}`}>
                {account.number}
              </Link>{' '}
              <Text>·</Text> <Code>{account.name}</Code>
              {account.address !== property.address && (
                <>
                  {' '}
                  <Text>·</Text> <Code>{account.address}</Code>
                </>
              )}
              {account.since && account.until && (
                <span className="block text-muted text-sm">
                  <Trans>
                    Billed from {formatShortDate(account.since)} to {formatShortDate(account.until)}
                  </Trans>
                </span>
              )}
            </>
          ),
          amount:
            account.owedCents < 0 ? t`Credit of ${formatCents(-account.owedCents)}` : formatCents(account.owedCents),
        }))}
      />
      <Rows
        title={<Trans>Open items</Trans>}
        none={<Trans>No other open items for this parcel.</Trans>}
        rows={openItems.map((item) => ({
          id: `${item.title} ${item.number}`,
          what: (
            <>
              <Text>{item.title}</Text> <Text>·</Text> <Text>{item.name}</Text>
              {item.dueDate && <Trans> · due {formatShortDate(item.dueDate)}</Trans>}
            </>
          ),
          amount: formatCents(item.owedCents),
        }))}
      />
      <div className="mt-7">
        <CompanyMap label={t`Map of parcel ${number}`} pin={pin} outline={outline} />
      </div>
    </>
  )
}
