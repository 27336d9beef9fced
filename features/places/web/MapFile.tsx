import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { sizeLabel } from '../../../shared/file-types.ts'
import { returnCompanyMap } from '../../../shared/places.ts'
import { useAct } from '../../../web/act.ts'
import { call } from '../../../web/call.ts'
import { shortDay } from '../../../web/clock.ts'
import { reload } from '../../../web/query.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { useChosenFile } from '../../../web/ui/chosen-file.ts'
import { ConfirmDialog } from '../../../web/ui/Dialog.tsx'
import { FilePicker } from '../../../web/ui/FilePicker.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { placeFiles, placeCounts, removeCompanyMap, saveCompanyMap } from '../contract.ts'

const largest = sizeLabel(placeFiles.maxBytes)

/** Background map of streets and zones: an uploaded file, or the imported streets. */
export function MapFile({ loaded: { map, can } }: { loaded: ResponseOf<typeof placeCounts> }) {
  const { t } = useLingui()
  const refresh = () => Promise.all([reload(placeCounts), reload(returnCompanyMap)])
  const { picker, send } = useChosenFile(placeFiles)
  const [sending, setSending] = useState(false)
  const removing = useAct(refresh)
  const [isConfirming, setIsConfirming] = useState(false)
  const file = picker.value
  const problem = picker.error ?? removing.refusal
  const show = async () => {
    setSending(true)
    const done = await send(saveCompanyMap)
    if (done) {
      toast(done.message)
      picker.onChange(null)
      await refresh()
    }
    setSending(false)
  }
  const remove = async () => {
    await removing.act(() => call(removeCompanyMap))
    setIsConfirming(false)
  }
  return (
    <section aria-labelledby="map-file" className="min-w-0">
      <h2 id="map-file" className="mb-3">
        <Trans>Background map</Trans>
      </h2>
      <p className="mb-3">
        {map ? (
          <Trans>
            {map.name}, {sizeLabel(map.bytes)}, in use since {shortDay(map.since)}.
          </Trans>
        ) : (
          <Trans>The map shows the imported streets. A PMTiles file for the area adds buildings and water.</Trans>
        )}
      </p>
      {can.upload && (
        <FilePicker
          {...picker}
          error={problem || undefined}
          label={map ? <Trans>New map file</Trans> : <Trans>Map file</Trans>}
          accept=".pmtiles"
          hint={<Trans>Use a PMTiles file with vector tiles, up to {largest}.</Trans>}
        />
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        {can.upload && file && (
          <Button
            variant="primary"
            busy={sending}
            disabled={file.size > placeFiles.maxBytes}
            onClick={() => void show()}
          >
            <Trans>Use map file</Trans>
          </Button>
        )}
        {can.removeMap && map && (
          <Button busy={removing.busy} onClick={() => setIsConfirming(true)}>
            <Trans>Remove the map file</Trans>
          </Button>
        )}
      </div>
      {isConfirming && (
        <ConfirmDialog
          title={t`Remove the map file?`}
          confirmLabel={t`Remove map file`}
          onConfirm={() => void remove()}
          onClose={() => setIsConfirming(false)}
        >
          <Trans>The map will then show only the imported streets.</Trans>
        </ConfirmDialog>
      )}
    </section>
  )
}
