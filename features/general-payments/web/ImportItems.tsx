import { Trans } from '@lingui/react/macro'
import { formatCents } from '../../../shared/money.ts'
import { reload, useAnswer } from '../../../web/query.ts'
import { ImportSlideOut } from '../../../web/ui/office/ImportSlideOut.tsx'
import { importItems, itemFiles, type ItemsReport, showPaymentType } from '../contract.ts'
import { generalCharges } from '../list.ts'

export function ImportItems({ id, onClose }: { id: number; onClose: () => void }) {
  const { data } = useAnswer(showPaymentType, { typeId: id })
  return (
    <ImportSlideOut
      title={<Trans>Import open items of {data?.form.title ?? ''}</Trans>}
      onClose={onClose}
      takes={importItems}
      by={itemFiles}
      fields={{ typeId: String(id) }}
      accept=".csv"
      hint={<Trans>CSV (UTF-8), at most 20 MB</Trans>}
      onImported={() => Promise.all([reload(showPaymentType), reload(generalCharges.call)])}
      counts={(report) => <WhatChanges report={report} />}
    >
      <p>
        <Trans>
          A CSV whose first line names its columns: number, name, amount, and if there are such, address, due_date,
          code. What is on the list already is changed to what the file says, and nothing is removed.
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
          {count(created)} new, {formatCents(createdCents)} in all
        </Trans>
      </li>
      <li>
        <Trans>
          {count(changed)} changed, by {formatCents(changedCents)} in all
        </Trans>
      </li>
      <li>
        <Trans>{count(unchanged)} as they were</Trans>
      </li>
    </ul>
  )
}
