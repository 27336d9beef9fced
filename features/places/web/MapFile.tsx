import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { AnswerOf } from '../../../shared/endpoint.ts'
import { sizeLabel, tooLarge } from '../../../shared/file-types.ts'
import { returnTownMap } from '../../../shared/places.ts'
import { call, sentenceOf } from '../../../web/call.ts'
import { shortDay } from '../../../web/clock.ts'
import { reload } from '../../../web/query.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { ConfirmDialog } from '../../../web/ui/Dialog.tsx'
import { FilePicker } from '../../../web/ui/FilePicker.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { useUpload } from '../../../web/ui/upload.ts'
import { placeFiles, placesKnown, removeTownMap, saveTownMap } from '../contract.ts'

const largest = sizeLabel(placeFiles.mostBytes)

/** The map beneath streets and zones: one file of the town's, or its drawn streets. */
export function MapFile({ known: { map, can } }: { known: AnswerOf<typeof placesKnown> }) {
  const { t } = useLingui()
  const [file, setFile] = useState<File | null>(null)
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const { upload, send } = useUpload()
  const [asking, setAsking] = useState(false)
  const act = async (work: () => Promise<{ message: string }>) => {
    setBusy(true)
    setProblem('')
    try {
      toast((await work()).message)
      setFile(null)
      await Promise.all([reload(placesKnown), reload(returnTownMap)])
    } catch (error) {
      setProblem(sentenceOf(error))
    }
    setBusy(false)
    setAsking(false)
  }
  return (
    <section aria-labelledby="map-file" className="min-w-0">
      <h2 id="map-file" className="mb-3">
        <Trans>The map</Trans>
      </h2>
      <p className="mb-3">
        {map ? (
          <Trans>
            {map.name}, {sizeLabel(map.bytes)}, since {shortDay(map.since)}.
          </Trans>
        ) : (
          <Trans>
            The streets are drawn from what was imported. A PMTiles file of the area shows buildings and water, too.
          </Trans>
        )}
      </p>
      {can.upload && (
        <FilePicker
          label={map ? <Trans>Another map file</Trans> : <Trans>Map file</Trans>}
          accept=".pmtiles"
          hint={<Trans>PMTiles with vector tiles, at most {largest}</Trans>}
          upload={upload}
          value={file}
          onChange={(chosen) => {
            setFile(chosen)
            setProblem(chosen && chosen.size > placeFiles.mostBytes ? tooLarge(placeFiles) : '')
          }}
          error={problem || undefined}
        />
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        {can.upload && file && (
          <Button
            look="primary"
            busy={busy}
            disabled={file.size > placeFiles.mostBytes}
            onClick={() => void act(() => send({ takes: saveTownMap, by: placeFiles, file }))}
          >
            <Trans>Show this map</Trans>
          </Button>
        )}
        {can.removeMap && map && (
          <Button busy={busy} onClick={() => setAsking(true)}>
            <Trans>Remove the map file</Trans>
          </Button>
        )}
      </div>
      {asking && (
        <ConfirmDialog
          title={t`Remove the map file?`}
          confirmLabel={t`Remove it`}
          onConfirm={() => void act(() => call(removeTownMap))}
          onClose={() => setAsking(false)}
        >
          <Trans>The map then shows the streets as they are drawn.</Trans>
        </ConfirmDialog>
      )}
    </section>
  )
}
