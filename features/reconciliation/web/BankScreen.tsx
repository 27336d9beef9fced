import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Landmark, ListChecks, Trash2, Upload } from 'lucide-react'
import { useState } from 'react'
import type { RowOf } from '../../../shared/list.ts'
import { formatCents } from '../../../shared/money.ts'
import { translated } from '../../../shared/messages.ts'
import { call, messageOf } from '../../../web/call.ts'
import { setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { reload, useResponse } from '../../../web/query.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { may } from '../../../web/session.ts'
import { ResponseSlideOut } from '../../../web/ui/ResponseView.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { ImportSlideOut } from '../../../web/ui/office/ImportSlideOut.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { StatusBadge } from '../../../web/ui/StatusBadge.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { bankRules, removeBankRule, statementFiles, type StatementReport, importStatement } from '../contract.ts'
import { bankLines } from '../list.ts'
import { lineResolutionLabels } from '../rules.ts'
import { BankLineSlideOut } from './BankLineSlideOut.tsx'
import { refreshReconciliation } from './fresh.ts'
import { Text } from '../../../web/ui/Text.tsx'

/** Text shown if the file has no account number. */
const NO_ACCOUNT = '–'

const close = () => setQuery({ take: null, rules: null })

/** Bank statement lines with their matches. */
export default function BankScreen() {
  const taking = useQueryParam('take') !== null
  const rules = useQueryParam('rules') !== null
  const [line, setLine] = useState<RowOf<typeof bankLines> | null>(null)
  const mayTake = may('reconcile', 'create')
  const take = mayTake && (
    <Button variant="primary" icon={Upload} onClick={() => setQuery({ take: '1' })}>
      <Trans>Import statement</Trans>
    </Button>
  )
  return (
    <>
      <ListScreen
        of={bankLines}
        rowName={({ text }) => text}
        actions={{ view: setLine }}
        onRow={setLine}
        cells={{
          became: ({ became }, text) => (became === 'open' ? <StatusBadge kind="attention">{text}</StatusBadge> : text),
        }}
        headActions={
          <>
            <Button icon={ListChecks} onClick={() => setQuery({ rules: '1' })}>
              <Trans>Rules</Trans>
            </Button>
            {take}
          </>
        }
        note={
          <p className="mt-4">
            <Link className="link" to="/municipality/reports/exceptions?status=open">
              <Trans>View unmatched transactions in Exceptions</Trans>
            </Link>
          </p>
        }
        empty={
          <EmptyState icon={Landmark} title={<Trans>No statements yet</Trans>} action={take}>
            <Trans>
              Download the statement from your bank as BAI2 or CSV and import it here. The portal matches payouts to
              their deposits.
            </Trans>
          </EmptyState>
        }
      />
      {taking && mayTake && <TakeStatement onClose={close} />}
      {rules && <Rules onClose={close} />}
      {line && <BankLineSlideOut line={line} onClose={() => setLine(null)} />}
    </>
  )
}

const TakeStatement = ({ onClose }: { onClose: () => void }) => (
  <ImportSlideOut
    title={<Trans>Import bank statement</Trans>}
    onClose={onClose}
    takes={importStatement}
    by={statementFiles}
    accept=".bai,.bai2,.txt,.csv,.xlsx"
    sample="bank_statement"
    hint={<Trans>BAI2, CSV (UTF-8) or Excel (XLSX), up to 20 MB</Trans>}
    onImported={refreshReconciliation}
    counts={(report) => <WhatBecomes report={report} />}
  >
    <p>
      <Trans>
        Use a BAI2 file, or a CSV or Excel file (XLSX) with column names. Required columns: date, description, amount
        (or debit and credit). Optional columns: balance, reference, account. Import each day once, in order.
      </Trans>
    </p>
  </ImportSlideOut>
)

function WhatBecomes({ report }: { report: StatementReport }) {
  return (
    <ul>
      {report.warnings.map((warning) => (
        <li key={warning}>
          <strong>{warning}</strong>
        </li>
      ))}
      {report.newAccounts.map((account) => (
        <li key={account}>
          <strong>
            {account === NO_ACCOUNT ? (
              <Trans>The file does not name an account. Check that it is the right file.</Trans>
            ) : (
              <Trans>
                No statement for account {account} has been imported before. Check that it is the right account.
              </Trans>
            )}
          </strong>
        </li>
      ))}
      <li>
        <Plural value={report.created} one="# transaction" other="# transactions" />:{' '}
        <Trans>
          {formatCents(report.inCents)} in, {formatCents(-report.outCents)} out
        </Trans>
      </li>
      <li>
        <Plural value={report.changed} one="# matched automatically" other="# matched automatically" />
      </li>
      <li>
        <Plural value={report.unchanged} one="# needs review" other="# need review" />
        {report.unchanged > 0 && <Trans>, {formatCents(report.openCents)} total</Trans>}
      </li>
    </ul>
  )
}

function Rules({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const forget = async (id: number) => {
    try {
      toast((await call(removeBankRule, { id })).message)
    } catch (problem) {
      toast(messageOf(problem), 'danger')
    }
    await reload(bankRules)
  }
  return (
    <ResponseSlideOut
      title={<Trans>Matching rules</Trans>}
      onClose={onClose}
      response={useResponse(bankRules, {})}
      loading={<Trans>Loading the rules</Trans>}
    >
      {({ rules, mayChange }) =>
        rules.length === 0 ? (
          <p className="text-muted">
            <Trans>
              No rules yet. You can save words from a bank description as a rule while you resolve a transaction. The
              rule then matches similar transactions automatically.
            </Trans>
          </p>
        ) : (
          <ul>
            {rules.map(({ id, text, comesIn, became, madeBy }) => (
              <li
                key={id}
                className="flex flex-wrap items-center justify-between gap-x-4 border-line border-b py-3 last:border-b-0"
              >
                <span className="min-w-0 wrap-anywhere">
                  <strong>
                    “<Text>{text}</Text>”
                  </strong>{' '}
                  · <Text>{comesIn ? t`money in` : t`money out`}</Text> ·{' '}
                  <Text>{translated(lineResolutionLabels[became])}</Text>
                  <span className="block text-muted text-sm">{madeBy}</span>
                </span>
                {mayChange && (
                  <Button
                    size="small"
                    icon={Trash2}
                    aria-label={t`Remove rule “${text}”`}
                    onClick={() => void forget(id)}
                  >
                    <Trans>Remove</Trans>
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )
      }
    </ResponseSlideOut>
  )
}
