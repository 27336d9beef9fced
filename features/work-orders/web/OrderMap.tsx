import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { RowOf } from '../../../shared/list.ts'
import { setQuery } from '../../../web/go.ts'
import type { Mark } from '../../../shared/places.ts'
import { CompanyMap } from '../../../web/places/CompanyMap.tsx'
import { QueryLink } from '../../../web/ui/Link.tsx'
import type { workOrders } from '../list.ts'
import { type OrderStatus, orderStates } from '../states.ts'
import { Code, Text } from '../../../web/ui/Text.tsx'

type Order = RowOf<typeof workOrders>

const kindOf = ({ status, late }: Order): Mark['kind'] => {
  if (late) return 'bad'
  const { kind } = orderStates.states[status as OrderStatus]
  return kind === 'good' ? 'good' : kind === 'neutral' ? 'neutral' : 'waiting'
}

/** Map of the orders, with a list for people who cannot see the map. */
export function OrderMap({ orders }: { orders: readonly Order[] }) {
  const { t } = useLingui()
  const placed = orders.flatMap((order) =>
    order.lat === null || order.lon === null ? [] : [{ order, lat: order.lat, lon: order.lon }],
  )
  const open = (id: number) => setQuery({ order: String(id) })
  return (
    <div className="grid gap-6 lg:grid-cols-[2fr_1fr]">
      <CompanyMap
        label={t`Work orders on the map`}
        marks={placed.map(({ order, lat, lon }) => ({
          id: order.id,
          lat,
          lon,
          label: `${order.number} ${order.title}`,
          kind: kindOf(order),
        }))}
        onMark={open}
      />
      <section aria-labelledby="on-the-map" className="min-w-0">
        <h3 id="on-the-map" className="mb-2 text-lg">
          <Trans>On the map</Trans>
        </h3>
        <ul className="max-h-96 overflow-y-auto">
          {placed.map(({ order }) => (
            <li key={order.id} className="border-line border-t py-2 text-sm">
              <QueryLink className="link text-start wrap-anywhere" set={{ order: String(order.id) }}>
                <Code>{order.number}</Code> <Text>{order.title}</Text>
              </QueryLink>
              <span className="block text-muted">{order.location}</span>
            </li>
          ))}
        </ul>
        {orders.length > placed.length && (
          <p className="mt-2 text-muted text-sm">
            <Plural
              value={orders.length - placed.length}
              one="# work order has no location on the map."
              other="# work orders have no location on the map."
            />
          </p>
        )}
      </section>
    </div>
  )
}
