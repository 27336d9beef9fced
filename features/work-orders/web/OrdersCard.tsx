import { useLingui } from '@lingui/react/macro'
import { AreaCard } from '../../../web/municipality/AreaCard.tsx'
import { useResponse } from '../../../web/query.ts'
import { orderFigures } from '../contract.ts'

const ORDERS = '/municipality/work-orders'

/** Dashboard card with work order figures (spec 3, 4.1). */
export default function OrdersCard() {
  const { t } = useLingui()
  const { data, error } = useResponse(orderFigures, {})
  return (
    <AreaCard
      title={t`Work Orders`}
      failed={error !== null && !data}
      figures={[
        { label: t`New`, count: data?.new, to: `${ORDERS}?status=created` },
        { label: t`In progress`, count: data?.inProgress, to: `${ORDERS}?status=in_progress` },
        { label: t`Overdue`, count: data?.overdue, to: `${ORDERS}?late=1`, urgent: true },
        { label: t`Recently completed`, count: data?.completed, to: `${ORDERS}?tab=board` },
        { label: t`Open`, count: data?.open, to: ORDERS },
      ]}
    />
  )
}
