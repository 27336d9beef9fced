import { Trans, useLingui } from '@lingui/react/macro'
import { CircleAlert, Plus, Wrench } from 'lucide-react'
import { formatShortDate } from '../../../shared/dates.ts'
import type { RowOf } from '../../../shared/list.ts'
import { screenAt } from '../../../shared/screens.ts'
import { setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { useLive } from '../../../web/live.ts'
import { useQueryParam, useQueryText } from '../../../web/routes.tsx'
import { may } from '../../../web/session.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Select } from '../../../web/ui/Choice.tsx'
import type { ListLayout } from '../../../web/ui/office/table/props.ts'
import { EmptyState } from '../../../web/ui/States.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { Text } from '../../../web/ui/Text.tsx'
import { ListFrame } from '../../../web/ui/office/ListFrame.tsx'
import { Section, Sections } from '../../../web/ui/office/Sections.tsx'
import { useRange } from '../../calendar/web/parts/range.tsx'
import { workEvents } from '../contract.ts'
import { workOrders } from '../list.ts'
import { type OrderStatus, orderStates } from '../states.ts'
import { useOrderBulk } from './bulk.tsx'
import { useChoices } from './choices.ts'
import { reloadOrders } from './fresh.ts'
import { CrewsTable } from './CrewsTable.tsx'
import { NewOrder } from './NewOrder.tsx'
import { OrderBoard } from './OrderBoard.tsx'
import { OrderCalendar } from './OrderCalendar.tsx'
import { OrderMap } from './OrderMap.tsx'
import { OrderFromQuery } from './OrderSlideOut.tsx'
import { PlansTable } from './PlansTable.tsx'
import { TemplatesTable } from './TemplatesTable.tsx'

const PATH = '/municipality/work-orders'
/** Maximum number of orders that the board, calendar and map show. */
const MAX_PRINTED = 500

/**
 * Screen with work orders as list, board, calendar and map, and with maintenance plans. The URL contains the current
 * view.
 */
export default function WorkOrdersScreen() {
  const tab = useQueryParam('tab') ?? 'list'
  const panel = useQueryParam('panel')
  const close = () => setQuery({ panel: null })
  const mayOpen = may('work_orders', 'create')
  useLive(workEvents, () => void reloadOrders())
  return (
    <>
      <ListFrame
        title={screenAt(PATH)?.title}
        listed
        tabs={<Tabs tab={tab} />}
        actions={
          mayOpen &&
          !['plans', 'templates', 'crews'].includes(tab) && (
            <Button variant="primary" icon={Plus} onClick={() => setQuery({ panel: 'new' })}>
              <Trans>New work order</Trans>
            </Button>
          )
        }
      >
        {tab === 'plans' ? (
          <PlansTable />
        ) : tab === 'templates' ? (
          <TemplatesTable />
        ) : tab === 'crews' ? (
          <CrewsTable />
        ) : (
          <Orders tab={tab} />
        )}
      </ListFrame>
      <OrderFromQuery />
      {panel === 'new' && mayOpen && <NewOrder onClose={close} />}
    </>
  )
}

/** Tabs of the screen. Changing the tab keeps the filters in the URL. */
function Tabs({ tab }: { tab: string }) {
  const queryText = useQueryText()
  const to = (one: string) => {
    const query = new URLSearchParams(queryText)
    for (const name of ['tab', 'panel', 'order', 'plan', 'template', 'crew', 'cursor', 'page']) query.delete(name)
    if (one !== 'list') query.set('tab', one)
    return query.size > 0 ? `${PATH}?${query}` : PATH
  }
  return (
    <Sections>
      <Section to={to('list')} active={tab === 'list'}>
        <Trans>List</Trans>
      </Section>
      <Section to={to('board')} active={tab === 'board'}>
        <Trans>Board</Trans>
      </Section>
      <Section to={to('calendar')} active={tab === 'calendar'}>
        <Trans>Calendar</Trans>
      </Section>
      <Section to={to('map')} active={tab === 'map'}>
        <Trans>Map</Trans>
      </Section>
      <Section to={`${PATH}?tab=plans`} active={tab === 'plans'}>
        <Trans>Maintenance Plans</Trans>
      </Section>
      <Section to={`${PATH}?tab=templates`} active={tab === 'templates'}>
        <Trans>Templates</Trans>
      </Section>
      <Section to={`${PATH}?tab=crews`} active={tab === 'crews'}>
        <Trans>Crews</Trans>
      </Section>
    </Sections>
  )
}

function Orders({ tab }: { tab: string }) {
  const { t } = useLingui()
  const range = useRange()
  const choices = useChoices()
  const { actions: bulk, dialog } = useOrderBulk()
  const open = ({ id }: { id: number }) => setQuery({ order: String(id) })
  const layout: ListLayout<RowOf<typeof workOrders>> | null =
    tab === 'board'
      ? {
          name: tab,
          rows: MAX_PRINTED,
          filters: { board: '1', status: '' },
          render: (rows) => <OrderBoard orders={rows} />,
        }
      : tab === 'calendar'
        ? {
            name: tab,
            rows: MAX_PRINTED,
            filters: { visibleFrom: range.days[0] ?? '', visibleUntil: range.days.at(-1) ?? '' },
            render: (rows) => <OrderCalendar orders={rows} range={range} />,
          }
        : tab === 'map'
          ? { name: tab, rows: MAX_PRINTED, render: (rows) => <OrderMap orders={rows} /> }
          : null
  const assignedTo = (of: 'departments' | 'people' | 'crews', label: string) => ({
    label,
    width: 192,
    labelFor: (id: string) => choices.nameOf(of, id),
    field: (value: string, set: (value: string) => void) => (
      <Select
        label={label}
        value={value}
        onChange={({ target }) => set(target.value)}
        options={[{ value: '', label: t`All` }, ...choices[of].slice(1)]}
      />
    ),
  })
  return (
    <>
      <ListScreen
        of={workOrders}
        bulk={bulk}
        rowName={({ number }) => number}
        actions={{ view: open }}
        onRow={open}
        filters={{
          department: assignedTo('departments', t`Department`),
          person: assignedTo('people', t`Assigned to`),
          crew: assignedTo('crews', t`Crew`),
        }}
        without={() => (tab === 'board' ? ['status'] : [])}
        {...(layout && { layout })}
        empty={
          <EmptyState icon={Wrench} title={<Trans>No work orders</Trans>}>
            <Trans>Open a work order manually, from a resident’s request, or with a maintenance plan.</Trans>
          </EmptyState>
        }
        cells={{
          number: ({ number }) => <strong className="whitespace-nowrap">{number}</strong>,
          status: ({ status }) => <StateBadge of={orderStates} state={status as OrderStatus} />,
          due: ({ due, late }) =>
            late ? (
              <span className="whitespace-nowrap font-bold text-danger">
                <CircleAlert size={14} aria-hidden className="me-1 inline align-[-2px]" />
                <Trans>{formatShortDate(due)}, overdue</Trans>
              </span>
            ) : (
              <span className="whitespace-nowrap">{formatShortDate(due)}</span>
            ),
        }}
      />
      <Text>{dialog}</Text>
    </>
  )
}
