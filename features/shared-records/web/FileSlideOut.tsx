import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { call, messageOf } from '../../../web/call.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { SlideOut } from '../../../web/ui/Dialog.tsx'
import { FilePicker } from '../../../web/ui/FilePicker.tsx'
import { Notice, Refusal } from '../../../web/ui/Notice.tsx'
import { compareRecordFile, importRecordFile, type RecordKind } from '../contract.ts'
import { MAX_FILE_LENGTH } from '../rules.ts'
import { Differences } from './parts/Differences.tsx'
import { type OnDone, RecordPreview } from './RecordPreview.tsx'

interface FileSlideOutProps {
  kind: RecordKind
  /** Record that takes the content of the file. Null for a new record. */
  id: number | null
  onClose: () => void
  onDone: OnDone
}

type Compared = ResponseOf<typeof compareRecordFile>

/** Panel that imports a JSON file into a new or an existing record, after a preview. */
export function FileSlideOut({ kind, id, onClose, onDone }: FileSlideOutProps) {
  const { t } = useLingui()
  const { file, choose, problem, refusals, compared, refusal, busy, save } = useRecordFile({ kind, id, onDone })
  const isSame = id !== null && compared?.differences.length === 0
  return (
    <SlideOut
      title={<Trans>Import from JSON</Trans>}
      onClose={onClose}
      locked={busy === 'save'}
      actions={
        <>
          {!isSame && (
            <Button
              variant="primary"
              busy={busy !== null}
              busyLabel={busy === 'save' ? <Trans>Saving...</Trans> : <Trans>Checking...</Trans>}
              onClick={() => void save()}
            >
              {id === null ? <Trans>Create draft</Trans> : <Trans>Save changes</Trans>}
            </Button>
          )}
          <Button disabled={busy === 'save'} onClick={onClose}>
            <Trans>Close</Trans>
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        <p className="text-muted">
          {id === null ? (
            <Trans>Choose a file that was downloaded as JSON. The new record is a draft.</Trans>
          ) : (
            <Trans>
              Choose a file that was downloaded as JSON. Questions match by field name, so the same file never adds a
              question twice. Changed questions stay a draft until you publish them.
            </Trans>
          )}
        </p>
        <FilePicker
          label={t`File`}
          accept=".json"
          hint={t`JSON, up to 500,000 characters`}
          value={file}
          onChange={(chosen) => void choose(chosen)}
          error={problem || undefined}
          refusals={refusals}
        />
        <Refusal>{refusal}</Refusal>
        {compared && id === null && <RecordPreview preview={compared.preview} />}
        {isSame && (
          <Notice tone="success" title={<Trans>Nothing to change</Trans>} arrives>
            <Trans>The record already has the content of this file.</Trans>
          </Notice>
        )}
        {compared && id !== null && !isSame && <Differences differences={compared.differences} />}
      </div>
    </SlideOut>
  )
}

/** Reads and compares the chosen file, and saves it as previewed. */
function useRecordFile({ kind, id, onDone }: Omit<FileSlideOutProps, 'onClose'>) {
  const { t } = useLingui()
  const [file, setFile] = useState<File | null>(null)
  const [problem, setProblem] = useState('')
  const [refusals, setRefusals] = useState(0)
  const [refusal, setRefusal] = useState('')
  const [seen, setSeen] = useState<{ content: string; compared: Compared } | null>(null)
  const [busy, setBusy] = useState<'check' | 'save' | null>(null)
  const refuse = (message: string) => {
    setSeen(null)
    setProblem(message)
    setRefusals((n) => n + 1)
  }
  const compare = async (chosen: File) => {
    setBusy('check')
    try {
      const content = await chosen.text()
      if (content.length > MAX_FILE_LENGTH) refuse(t`This file is too large. The limit is 500,000 characters.`)
      else setSeen({ content, compared: await call(compareRecordFile, { kind, id, content }) })
    } catch (error) {
      refuse(messageOf(error))
    }
    setBusy(null)
  }
  const choose = async (chosen: File | null) => {
    setFile(chosen)
    setSeen(null)
    setProblem('')
    setRefusal('')
    if (chosen) await compare(chosen)
  }
  const save = async () => {
    if (!file || !seen) {
      refuse(problem || t`Choose a file first.`)
      return
    }
    setBusy('save')
    setRefusal('')
    try {
      await onDone(await call(importRecordFile, { kind, id, content: seen.content, digest: seen.compared.digest }))
    } catch (error) {
      setRefusal(messageOf(error))
      await compare(file)
    }
    setBusy(null)
  }
  return { file, choose, problem, refusals, compared: seen?.compared ?? null, refusal, busy, save }
}
