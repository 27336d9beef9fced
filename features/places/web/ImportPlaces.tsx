import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import type { AnswerOf } from '../../../shared/endpoint.ts'
import { sizeLabel, tooLarge } from '../../../shared/file-types.ts'
import { findAddresses, findNearest, returnTownMap } from '../../../shared/places.ts'
import { sentenceOf } from '../../../web/call.ts'
import { reload } from '../../../web/query.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Checkbox, Select } from '../../../web/ui/Choice.tsx'
import { SlideOut } from '../../../web/ui/Dialog.tsx'
import { FilePicker } from '../../../web/ui/FilePicker.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { useUpload } from '../../../web/ui/upload.ts'
import { WrongRows } from '../../../web/ui/WrongRows.tsx'
import { importPlaces, placeFiles, placeKinds, placesKnown, returnParcel } from '../contract.ts'
import { parcels } from '../list.ts'

type Report = AnswerOf<typeof importPlaces>
type Kind = (typeof placeKinds)[number]

const words: Record<Kind, { label: MessageDescriptor; holds: MessageDescriptor; accept: string }> = {
  addresses: {
    label: msg`Addresses`,
    holds: msg`CSV with the columns number, street, unit, city, state, zip, latitude, longitude; or GeoJSON with points.`,
    accept: '.csv,.json,.geojson',
  },
  parcels: {
    label: msg`Parcels`,
    holds: msg`CSV with the columns parcel, address, owner, land_use, latitude, longitude; or GeoJSON with areas.`,
    accept: '.csv,.json,.geojson',
  },
  streets: { label: msg`Streets`, holds: msg`GeoJSON with lines that have a name.`, accept: '.json,.geojson' },
  zones: {
    label: msg`Zones`,
    holds: msg`GeoJSON with areas that have a name and a kind, such as Ward.`,
    accept: '.json,.geojson',
  },
}

const largest = sizeLabel(placeFiles.mostBytes)
const isTooLarge = ({ size }: File) => size > placeFiles.mostBytes

/** Takes a file of places: all of it, or nothing and what is wrong with it. */
export function ImportPlaces({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const [kind, setKind] = useState<Kind>('addresses')
  const [file, setFile] = useState<File | null>(null)
  const [leaveOut, setLeaveOut] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const [report, setReport] = useState<Report | null>(null)
  const { upload, send: sendFile } = useUpload()
  const told = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (report) told.current?.focus()
  }, [report])

  const choose = (chosen: File | null) => {
    setFile(chosen)
    setReport(null)
    setProblem(chosen && isTooLarge(chosen) ? tooLarge(placeFiles) : '')
  }
  const send = async () => {
    if (!file) return setProblem(t`Choose a file first.`)
    if (isTooLarge(file)) return setProblem(tooLarge(placeFiles))
    setBusy(true)
    setReport(null)
    setProblem('')
    try {
      const fields = { kind, wrongRows: leaveOut ? 'leave out' : 'refuse' }
      setReport(await sendFile({ takes: importPlaces, by: placeFiles, file, fields }))
      await Promise.all(
        [placesKnown, parcels.call, returnParcel, returnTownMap, findAddresses, findNearest].map(reload),
      )
    } catch (error) {
      setProblem(sentenceOf(error))
    }
    setBusy(false)
  }
  return (
    <SlideOut
      title={<Trans>Import places</Trans>}
      onClose={onClose}
      locked={busy}
      actions={
        <>
          <Button look="primary" busy={busy} busyLabel={<Trans>Importing...</Trans>} onClick={() => void send()}>
            <Trans>Import</Trans>
          </Button>
          <Button disabled={busy} onClick={onClose}>
            <Trans>Close</Trans>
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        <Select
          label={<Trans>What is in the file</Trans>}
          hint={t(words[kind].holds)}
          value={kind}
          disabled={busy}
          onChange={({ target }) => {
            setKind(placeKinds.find((one) => one === target.value) ?? 'addresses')
            setReport(null)
          }}
          options={placeKinds.map((one) => ({ value: one, label: t(words[one].label) }))}
        />
        <FilePicker
          label={<Trans>File</Trans>}
          accept={words[kind].accept}
          hint={<Trans>At most {largest}, positions in degrees (WGS 84)</Trans>}
          upload={upload}
          value={file}
          onChange={choose}
          error={problem || undefined}
        />
        <Checkbox
          label={<Trans>Leave out rows that are wrong</Trans>}
          hint={<Trans>Otherwise one wrong row keeps the whole file out, and nothing changes.</Trans>}
          checked={leaveOut}
          disabled={busy}
          onChange={({ target }) => setLeaveOut(target.checked)}
        />
        {report && (
          <div ref={told} tabIndex={-1}>
            <Outcome report={report} />
          </div>
        )}
      </div>
    </SlideOut>
  )
}

function Outcome({ report }: { report: Report }) {
  const { t } = useLingui()
  const { imported, read, created, changed, unchanged, wrongCount, wrong } = report
  const count = (n: number) => n.toLocaleString('en-US')
  const title = imported
    ? wrongCount === 0
      ? t`The file was imported.`
      : t`The file was imported without ${count(wrongCount)} wrong rows.`
    : t`Nothing was imported: ${count(wrongCount)} of ${count(read)} rows are wrong.`
  return (
    <Notice tone={imported ? (wrongCount > 0 ? 'warning' : 'success') : 'danger'} title={title}>
      <p>
        {imported ? (
          <Trans>
            {count(read)} rows read: {count(created)} new, {count(changed)} changed, {count(unchanged)} as they were.
          </Trans>
        ) : (
          <Trans>Mend them in the file and import it again, or leave them out.</Trans>
        )}
      </p>
      <WrongRows wrong={wrong} count={wrongCount} />
    </Notice>
  )
}
