import { Trans, useLingui } from '@lingui/react/macro'
import { ReceiptText } from 'lucide-react'
import type { StatusKind } from '../../../shared/machine.ts'
import { setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { useResponse } from '../../../web/query.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { SelectWithSearch } from '../../../web/ui/office/SelectWithSearch.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { StatusBadge } from '../../../web/ui/StatusBadge.tsx'
import { paymentTitles } from '../contract.ts'
import { generalCharges } from '../list.ts'
import type { ChargeStatus } from '../rules.ts'
import { ChargeSlideOut } from './ChargeSlideOut.tsx'

const kinds: Record<ChargeStatus, StatusKind> = { open: 'waiting', part: 'attention', paid: 'good', returned: 'undone' }

/**
 * Screen with paid and unpaid charges of all payment types. The export of one type has a column for each of its fields.
 */
export default function ChargesScreen() {
  const { t } = useLingui()
  const openChargeId = Number(useQueryParam('charge')) || 0
  const { data } = useResponse(paymentTitles, {})
  const types = (data?.types ?? []).map(({ id, title }) => ({ value: String(id), label: title }))
  const open = ({ id }: { id: number }) => setQuery({ charge: String(id) })
  return (
    <>
      <ListScreen
        of={generalCharges}
        rowName={({ number }) => number}
        exportEach={{
          filter: 'typeId',
          title: t`Export payments`,
          types: (data?.types ?? []).map(({ id, title }) => ({ id, name: title })),
        }}
        cells={{
          number: ({ number }) => <strong>{number}</strong>,
          status: ({ status }, label) => <StatusBadge kind={kinds[status]}>{label}</StatusBadge>,
        }}
        filters={{
          typeId: {
            width: 224,
            field: (value, set) => (
              <SelectWithSearch
                label={t`Payment`}
                value={value}
                onChange={set}
                options={[{ value: '', label: t`All payments` }, ...types]}
                disabled={!data}
                className="md:w-56"
              />
            ),
            labelFor: (value) => types.find((one) => one.value === value)?.label ?? '',
          },
        }}
        actions={{ view: open }}
        onRow={open}
        empty={
          <EmptyState icon={ReceiptText} title={<Trans>No payments yet</Trans>}>
            <Trans>Payments for taxes, permits, licenses and similar items appear here.</Trans>
          </EmptyState>
        }
      />
      {openChargeId > 0 && <ChargeSlideOut id={openChargeId} onClose={() => setQuery({ charge: null })} />}
    </>
  )
}
