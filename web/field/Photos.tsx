import { Plural, Trans } from '@lingui/react/macro'
import { Camera } from 'lucide-react'
import { useId, useState } from 'react'
import { cx } from '../ui/cx.ts'
import { Refusal } from '../ui/Notice.tsx'
import type { Action } from './outbox.ts'
import { Text } from '../ui/Text.tsx'

/** Button that takes a photo with the camera or chooses an existing photo. */
export function PhotoButton({ label, onPhoto }: { label: string; onPhoto: (file: File) => Promise<void> }) {
  const id = useId()
  const [refusal, setRefusal] = useState('')
  const take = async (input: HTMLInputElement) => {
    const [file] = input.files ?? []
    if (!file) return
    setRefusal('')
    await onPhoto(file).catch((problem: unknown) => setRefusal(problem instanceof Error ? problem.message : ''))
    input.value = ''
  }
  return (
    <div>
      <Refusal>{refusal}</Refusal>
      <input
        id={id}
        type="file"
        accept="image/jpeg,image/png"
        capture="environment"
        className="peer sr-only"
        onChange={({ currentTarget }) => void take(currentTarget)}
      />
      <label
        htmlFor={id}
        className={cx(
          'inline-flex min-h-12 cursor-pointer items-center gap-2 rounded-sm border border-edge bg-surface px-4 font-bold hover:bg-tint',
          'peer-focus-visible:outline-3 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-link',
        )}
      >
        <Camera size={18} aria-hidden />
        <Text>{label}</Text>
      </label>
    </div>
  )
}

/** Photos on this device that are waiting to be uploaded, and the number of uploaded photos. */
export function PendingPhotos({ pending, there }: { pending: readonly Action[]; there: number }) {
  const photos = pending.flatMap(({ id, label, photo }) => (photo ? [{ id, label, thumb: photo.thumb }] : []))
  return (
    <>
      {there > 0 && (
        <p className="mb-2 text-muted text-sm">
          <Plural value={there} one="# photo uploaded." other="# photos uploaded." />
        </p>
      )}
      {photos.length > 0 && (
        <ul className="mb-3 flex flex-wrap gap-3">
          {photos.map(({ id, label, thumb }) => (
            <li key={id} className="rounded-sm border border-dashed border-edge p-1 text-sm">
              <img src={thumb} alt={label} className="h-24 w-28 object-contain" />
              <Trans>Waiting</Trans>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
