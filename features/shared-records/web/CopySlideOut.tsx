import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { ArrowLeft, Building2 } from 'lucide-react'
import { useState } from 'react'
import { formatDate } from '../../../shared/dates.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { translated } from '../../../shared/messages.ts'
import { call, messageOf } from '../../../web/call.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Select } from '../../../web/ui/Choice.tsx'
import { CloseAction, SlideOut } from '../../../web/ui/Dialog.tsx'
import { Notice, Refusal } from '../../../web/ui/Notice.tsx'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { copySharedRecord, MAX_SHARED, type RecordKind, recordKinds, sharedRecord, sharedRecords } from '../contract.ts'
import { type OnDone, RecordPreview } from './RecordPreview.tsx'

type Shared = ResponseOf<typeof sharedRecords>['records'][number]

interface CopySlideOutProps {
  /** Kinds that the person may create. */
  kinds: readonly RecordKind[]
  onClose: () => void
  onDone: OnDone
}

/** Panel that copies a record of another municipality as a draft. It first lists the records, then shows one. */
export function CopySlideOut({ kinds, onClose, onDone }: CopySlideOutProps) {
  const { t } = useLingui()
  const [kind, setKind] = useState(kinds[0] ?? 'form')
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<Shared | null>(null)
  if (chosen) return <SharedSlideOut {...{ kind, onClose, onDone }} record={chosen} onBack={() => setChosen(null)} />
  return (
    <SlideOut
      title={<Trans>Copy from another municipality</Trans>}
      onClose={onClose}
      actions={<CloseAction onClose={onClose} />}
    >
      <div className="flex flex-col gap-5">
        <p className="text-muted">
          <Trans>Municipalities that agreed to it share these records. A copy is a draft that you can change.</Trans>
        </p>
        {kinds.length > 1 && (
          <Select
            label={t`Kind of record`}
            options={kinds.map((value) => ({ value, label: translated(recordKinds[value]) }))}
            value={kind}
            onChange={({ target }) => setKind(target.value as RecordKind)}
          />
        )}
        <TextField
          type="search"
          label={t`Search by name or municipality`}
          value={search}
          onChange={({ target }) => setSearch(target.value)}
          maxLength={100}
          autoComplete="off"
        />
        <SharedList {...{ kind, search: search.trim() }} onChoose={setChosen} />
      </div>
    </SlideOut>
  )
}

interface SharedListProps {
  kind: RecordKind
  search: string
  onChoose: (record: Shared) => void
}

function SharedList({ kind, search, onChoose }: SharedListProps) {
  const { t } = useLingui()
  const response = useResponse(sharedRecords, { kind, search }, { keepPrevious: true })
  return (
    <ResponseView response={response} loading={<Trans>Loading shared records</Trans>} rows={6}>
      {({ records, more }) =>
        records.length === 0 && search === '' ? (
          <EmptyState icon={Building2} title={<Trans>Nothing is shared yet</Trans>}>
            <Trans>No other municipality shares records of this kind.</Trans>
          </EmptyState>
        ) : (
          <>
            <p role="status" className="text-muted text-sm">
              {more ? (
                <Trans>The first {MAX_SHARED} records. Search to find others.</Trans>
              ) : (
                <Plural value={records.length} _0="No record matches your search." one="# record" other="# records" />
              )}
            </p>
            {records.length > 0 && (
              <ul className="border-line border-t">
                {records.map((record) => (
                  <li
                    key={`${record.municipalityId} ${record.id}`}
                    className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line border-b py-3"
                  >
                    <div className="min-w-40 flex-1">
                      <strong className="wrap-anywhere">{record.title}</strong>
                      <p className="text-muted text-sm">
                        {record.changedAt ? (
                          <Trans>
                            {record.municipality}, changed on {formatDate(record.changedAt.slice(0, 10))}
                          </Trans>
                        ) : (
                          record.municipality
                        )}
                      </p>
                    </div>
                    <Button
                      size="small"
                      aria-label={t`Preview ${record.title} of ${record.municipality}`}
                      onClick={() => onChoose(record)}
                    >
                      <Trans>Preview</Trans>
                    </Button>
                  </li>
                ))}
              </ul>
            )}
          </>
        )
      }
    </ResponseView>
  )
}

interface SharedSlideOutProps {
  kind: RecordKind
  record: Shared
  onBack: () => void
  onClose: () => void
  onDone: OnDone
}

/** Preview of one shared record. It lists replaced texts and sentences to check. */
function SharedSlideOut({ kind, record, onBack, onClose, onDone }: SharedSlideOutProps) {
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState('')
  const of = { kind, municipalityId: record.municipalityId, id: record.id }
  const response = useResponse(sharedRecord, of)
  const { data } = response
  const copy = async (digest: string) => {
    setBusy(true)
    setRefusal('')
    try {
      await onDone(await call(copySharedRecord, { ...of, digest }))
    } catch (error) {
      setRefusal(messageOf(error))
      await reload(sharedRecord)
    }
    setBusy(false)
  }
  return (
    <SlideOut
      title={record.municipality}
      onClose={onClose}
      locked={busy}
      actions={
        <>
          {data && (
            <Button variant="primary" busy={busy} onClick={() => void copy(data.digest)}>
              <Trans>Copy as draft</Trans>
            </Button>
          )}
          <Button icon={ArrowLeft} disabled={busy} onClick={onBack}>
            <Trans>Back to the list</Trans>
          </Button>
        </>
      }
    >
      <ResponseView response={response} loading={<Trans>Loading the record</Trans>} shape="lines">
        {({ preview, replaced, mentions }) => (
          <div className="flex flex-col gap-5">
            <Refusal>{refusal}</Refusal>
            <p className="text-muted">
              <Trans>The copy has no departments, people, GL accounts or files.</Trans>
            </p>
            <Replaced replaced={replaced} />
            {mentions.length > 0 && (
              <Notice tone="warning" title={<Trans>Check these sentences after copying</Trans>}>
                <ul className="list-disc ps-5">
                  {mentions.map((text) => (
                    <li key={text} className="wrap-anywhere">
                      {text}
                    </li>
                  ))}
                </ul>
              </Notice>
            )}
            <RecordPreview preview={preview} />
          </div>
        )}
      </ResponseView>
    </SlideOut>
  )
}

function Replaced({ replaced }: Pick<ResponseOf<typeof sharedRecord>, 'replaced'>) {
  if (replaced.length === 0) return null
  return (
    <Notice title={<Trans>The copy has your own details</Trans>}>
      <ul className="list-disc ps-5">
        {replaced.map(({ before, after }) => (
          <li key={before} className="wrap-anywhere">
            <Trans>
              “{before}” becomes “{after}”
            </Trans>
          </li>
        ))}
      </ul>
    </Notice>
  )
}
