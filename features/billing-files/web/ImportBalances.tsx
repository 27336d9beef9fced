import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { formatDate } from '../../../shared/dates.ts'
import { sizeLabel } from '../../../shared/file-types.ts'
import { importList } from '../../../shared/imports.ts'
import { formatCents } from '../../../shared/money.ts'
import { page } from '../../../web/page.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { Select } from '../../../web/ui/Choice.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { ImportSlideOut } from '../../../web/ui/office/ImportSlideOut.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { balanceFile, type BalancesReport, importBalances } from '../contract.ts'
import { remittanceFiles } from '../list.ts'

const largest = sizeLabel(balanceFile.maxBytes)
const count = (n: number) => n.toLocaleString('en-US')

/** Form that imports balances of accounts that have no bills in the portal. */
export function ImportBalances({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const [day, setDay] = useState(page().today)
  const [remittance, setRemittance] = useState('0')
  const { data } = useResponse(remittanceFiles.call, { pageSize: 60 })
  return (
    <ImportSlideOut
      title={<Trans>Import balances</Trans>}
      onClose={onClose}
      takes={importBalances}
      by={balanceFile}
      fields={{ day, remittance }}
      accept=".csv,.xlsx"
      sample="balances"
      hint={<Trans>CSV or Excel (XLSX), up to {largest}. Accounts that are not in the file stay as they are.</Trans>}
      leavesOut
      onImported={() => reload(importList.call)}
      counts={(report) => <Counts report={report} />}
    >
      <div className="flex flex-col gap-4">
        <Notice tone="info">
          <Trans>
            Without bills, AutoPay is not available, and residents see no bill details. To offer both, upload a billing
            file instead.
          </Trans>
        </Notice>
        <TextField
          label={t`Day of the balances`}
          hint={t`The balances count all charges and payments up to the end of this day.`}
          type="date"
          value={day}
          max={page().today}
          onChange={({ target }) => setDay(target.value)}
        />
        <Select
          label={t`Last posted remittance file`}
          hint={t`The last file of portal payments that the billing system has posted. The portal subtracts all later payments, so no payment counts twice.`}
          value={remittance}
          onChange={({ target }) => setRemittance(target.value)}
          options={[
            { value: '0', label: t`None` },
            ...(data?.rows ?? []).map(({ number, day: until }) => ({
              value: String(number),
              label: t`File ${number}, until ${formatDate(until)}`,
            })),
          ]}
        />
      </div>
    </ImportSlideOut>
  )
}

function Counts({ report }: { report: BalancesReport }) {
  const { read, created, changed, unchanged } = report
  const [balance, adjusted] = [formatCents(report.balanceCents), formatCents(report.adjustedCents)]
  return (
    <>
      <p>
        <Trans>
          Rows read: {count(read)}. New accounts: {count(created)}. Changed accounts: {count(changed)}. Unchanged:{' '}
          {count(unchanged)}.
        </Trans>
      </p>
      <p>
        <Trans>
          Sum of the balances: {balance}. Sum of the adjustments: {adjusted}.
        </Trans>
      </p>
    </>
  )
}
