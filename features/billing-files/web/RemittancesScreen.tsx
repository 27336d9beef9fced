import { Trans } from '@lingui/react/macro'
import { Landmark } from 'lucide-react'
import { messageOf } from '../../../web/call.ts'
import { download } from '../../../web/download.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { downloadRemittances } from '../contract.ts'
import { remittanceFiles } from '../list.ts'
import { BillingSections } from './BillingSections.tsx'

/** Shows the daily files that report portal payments to the billing system. */
export default function RemittancesScreen() {
  const save = ({ number }: { number: number }) =>
    void download(downloadRemittances, { number }).catch((error: unknown) => toast(messageOf(error), 'danger'))
  return (
    <ListScreen
      of={remittanceFiles}
      tabs={<BillingSections />}
      rowName={({ number }) => String(number)}
      actions={{ download: save }}
      cells={{ number: (_row, number) => <strong>{number}</strong> }}
      empty={
        <EmptyState icon={Landmark} title={<Trans>No remittances yet</Trans>}>
          <Trans>
            Every day after midnight, the portal creates a file of the previous day’s payments for utility accounts,
            with control totals.
          </Trans>
        </EmptyState>
      }
    />
  )
}
