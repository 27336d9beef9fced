import { useLingui } from '@lingui/react/macro'
import { AreaCard } from '../../../../web/municipality/AreaCard.tsx'
import { useResponse } from '../../../../web/query.ts'
import { figures } from '../../contract-staff.ts'
import { requestStatus } from '../../rules.ts'
import { INBOX } from './fresh.ts'

/** Dashboard card with the figures about requests (spec 3, 4.1). */
export default function RequestsCard() {
  const { t } = useLingui()
  const { data, error } = useResponse(figures, {})
  return (
    <AreaCard
      title={t`Customer Communications`}
      failed={error !== null && !data}
      figures={[
        { label: t`New`, count: data?.new, to: `${INBOX}?status=${requestStatus.new}` },
        { label: t`Review complete`, count: data?.reviewComplete, to: `${INBOX}?status=${requestStatus.inProgress}` },
        { label: t`Overdue`, count: data?.overdue, to: `${INBOX}?late=1`, urgent: true },
        {
          label: t`Completed`,
          count: data?.completed,
          to: `/municipality/reports/communication?status=${requestStatus.completed}`,
        },
        { label: t`Received`, count: data?.received, to: `/municipality/reports/communication` },
      ]}
    />
  )
}
