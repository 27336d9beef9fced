import { Trans } from '@lingui/react/macro'
import { FileSpreadsheet, Scale, Upload } from 'lucide-react'
import { go, setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { useQueryParam } from '../../../web/routes.tsx'
import { may } from '../../../web/session.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { billingFiles } from '../list.ts'
import { billingFileStates } from '../states.ts'
import { FILES, BillingSections } from './BillingSections.tsx'
import { ImportBalances } from './ImportBalances.tsx'
import { SendFile } from './SendFile.tsx'

/** Shows billing files from the billing system, from every sender and import source. */
export default function BillingFilesScreen() {
  const maySend = may('billing_files', 'create')
  const sending = useQueryParam('send') !== null && maySend
  const balances = useQueryParam('balances') !== null && maySend
  const open = ({ id }: { id: number }) => go(`${FILES}/file?file=${id}`)
  const send = maySend && (
    <Button variant="primary" icon={Upload} onClick={() => setQuery({ send: '1' })}>
      <Trans>Upload billing file</Trans>
    </Button>
  )
  const buttons = maySend && (
    <>
      <Button icon={Scale} onClick={() => setQuery({ balances: '1' })}>
        <Trans>Import balances</Trans>
      </Button>
      {send}
    </>
  )
  return (
    <>
      <ListScreen
        of={billingFiles}
        tabs={<BillingSections />}
        rowName={({ name }) => name}
        headActions={buttons}
        cells={{
          name: ({ name }) => <strong>{name}</strong>,
          state: ({ state }) => <StateBadge of={billingFileStates} state={state} />,
        }}
        actions={{ view: open }}
        onRow={open}
        empty={
          <EmptyState icon={FileSpreadsheet} title={<Trans>No billing files yet</Trans>} action={send}>
            <Trans>
              Your billing system provides bills as CSV or Excel files. Upload them here, or send them through the API
              or a watched folder.
            </Trans>
          </EmptyState>
        }
        note={
          maySend && (
            <p className="max-w-prose">
              <Trans>
                Upload a billing file to show bills and offer AutoPay. Import balances if you have only the amounts due.
              </Trans>
            </p>
          )
        }
      />
      {balances && <ImportBalances onClose={() => setQuery({ balances: null })} />}
      {sending && <SendFile onClose={() => setQuery({ send: null })} />}
    </>
  )
}
