import { Trans, useLingui } from '@lingui/react/macro'
import { FileSpreadsheet, Upload } from 'lucide-react'
import { useState } from 'react'
import { type RecordKind, importKinds, importList, recordKinds } from '../../../shared/imports.ts'
import type { RowOf } from '../../../shared/list.ts'
import { translated } from '../../../shared/messages.ts'
import { setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { queries, reload } from '../../../web/query.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { may } from '../../../web/session.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Select } from '../../../web/ui/Choice.tsx'
import { ImportSlideOut } from '../../../web/ui/office/ImportSlideOut.tsx'
import { UndoDialog } from '../../../web/ui/office/UndoImport.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { StatusBadge } from '../../../web/ui/StatusBadge.tsx'
import { importRecords, recordFile } from '../contract.ts'

type Import = RowOf<typeof importList>

/** Shows all imports with their undo, and imports the records without an import on another screen. */
export default function ImportsScreen() {
  const kinds = recordKinds.filter((kind) => may(importKinds[kind][1], importKinds[kind][2]))
  const importing = useQueryParam('import') !== null && kinds.length > 0
  const [undone, setUndone] = useState<Import | null>(null)
  const start = kinds.length > 0 && (
    <Button variant="primary" icon={Upload} onClick={() => setQuery({ import: '1' })}>
      <Trans>Import records</Trans>
    </Button>
  )
  return (
    <>
      <ListScreen
        of={importList}
        rowName={({ file }) => file}
        headActions={start}
        actions={{ undo: setUndone }}
        cells={{
          file: ({ file }) => <strong>{file}</strong>,
          state: ({ state }, label) => (
            <StatusBadge kind={state === 'imported' ? 'good' : 'undone'}>{label}</StatusBadge>
          ),
        }}
        empty={
          <EmptyState icon={FileSpreadsheet} title={<Trans>No imports yet</Trans>} action={start}>
            <Trans>
              Import the records of your previous system from CSV or Excel files. You can undo an import for 30 days.
            </Trans>
          </EmptyState>
        }
      />
      {importing && <ImportRecords kinds={kinds} onClose={() => setQuery({ import: null })} />}
      {undone && (
        <UndoDialog importId={undone.id} onClose={() => setUndone(null)} onUndone={() => queries.invalidateQueries()} />
      )}
    </>
  )
}

function ImportRecords({ kinds, onClose }: { kinds: readonly RecordKind[]; onClose: () => void }) {
  const { t } = useLingui()
  const [kind, setKind] = useState<RecordKind>(kinds[0] ?? 'faqs')
  return (
    <ImportSlideOut
      title={<Trans>Import records</Trans>}
      onClose={onClose}
      takes={importRecords}
      by={recordFile}
      fields={{ kind }}
      accept=".csv,.xlsx"
      sample={kind}
      hint={<Trans>CSV or Excel (XLSX), with the column names in the first line.</Trans>}
      leavesOut
      onImported={() => reload(importList.call)}
    >
      <Select
        label={t`Content of the file`}
        value={kind}
        onChange={({ target }) => setKind(target.value as RecordKind)}
        options={kinds.map((one) => ({ value: one, label: translated(importKinds[one][0]) }))}
      />
      <KindHint kind={kind} />
    </ImportSlideOut>
  )
}

/** Explains the requirements and effects of an import. */
function KindHint({ kind }: { kind: RecordKind }) {
  const hint =
    kind === 'customers' ? (
      <Trans>
        Residents get no email from this import. To invite them later, press “Send invitations” on the screen Utility
        Customers.
      </Trans>
    ) : kind === 'permits' ? (
      <Trans>
        Each permit needs a published form that issues a document. The holders get no email from this import. They get a
        reminder before the permit expires.
      </Trans>
    ) : kind === 'registrations' ? (
      <Trans>
        Each registration belongs to a resident. Import the customers first. The owners get no email from this import.
        They get a reminder before the confirmation is due.
      </Trans>
    ) : null
  return hint && <p className="mt-2 text-muted">{hint}</p>
}
