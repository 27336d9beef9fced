import { Trans } from '@lingui/react/macro'
import { formatCents } from '../../../shared/money.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { ImportSlideOut } from '../../../web/ui/office/ImportSlideOut.tsx'
import { importItems, itemFiles, type ItemsReport, showPaymentType } from '../contract.ts'
import { generalCharges } from '../list.ts'

export function ImportItems({ id, onClose }: { id: number; onClose: () => void }) {
  const { data } = useResponse(showPaymentType, { typeId: id })
  return (
    <ImportSlideOut
      title={<Trans>Import open items for {data?.form.title ?? ''}</Trans>}
      onClose={onClose}
      takes={importItems}
      by={itemFiles}
      fields={{ typeId: String(id) }}
      accept=".csv,.xlsx"
      sample="open_items"
      hint={<Trans>Use a CSV file (UTF-8) or Excel file (XLSX) of up to 20 MB.</Trans>}
      onImported={() => Promise.all([reload(showPaymentType), reload(generalCharges.call)])}
      counts={(report) => <WhatChanges report={report} />}
    >
      <p>
        <Trans>
          Upload a CSV or Excel file (XLSX) with column names: number, name, amount and, if you have them, address,
          due_date, code. Items already on the list are updated from the file. No items are removed.
        </Trans>
      </p>
    </ImportSlideOut>
  )
}

function WhatChanges({ report }: { report: ItemsReport }) {
  const { created, changed, unchanged, createdCents, changedCents } = report
  const count = (n: number) => n.toLocaleString('en-US')
  return (
    <ul>
      <li>
        <Trans>
          {count(created)} new, with a total of {formatCents(createdCents)}
        </Trans>
      </li>
      <li>
        <Trans>
          {count(changed)} changed, with a total change of {formatCents(changedCents)}
        </Trans>
      </li>
      <li>
        <Trans>{count(unchanged)} unchanged</Trans>
      </li>
    </ul>
  )
}
