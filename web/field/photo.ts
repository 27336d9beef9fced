import { say } from '../../shared/messages.ts'
import { CallError } from '../call.ts'
import type { StoredPhoto } from './outbox.ts'

/** Size in bytes above which a photo is scaled down, because phone cameras produce larger photos than needed. */
const LARGE_BYTES = 2 * 1024 * 1024
const MAX_SIDE_PIXELS = 2560
const THUMB_SIDE = 160

/** Prepares a photo for storage and sending. @throws if it is not an image, with a message for the person */
export async function photoOf(file: File): Promise<StoredPhoto> {
  const image = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => {
    throw new CallError(
      0,
      'wrong_file',
      say`${file.name} is not a photo that this device can show. Choose a JPG or PNG photo.`,
    )
  })
  const isFine = file.size <= LARGE_BYTES && /^image\/(?:jpeg|png)$/.test(file.type)
  const rendered = isFine ? null : await blobOf(renderIn(image, MAX_SIDE_PIXELS), 0.85)
  const thumb = renderIn(image, THUMB_SIDE).toDataURL('image/jpeg', 0.6)
  image.close()
  // Copies the content, because the original file may no longer exist when the photo is sent.
  const blob = rendered ?? new Blob([await file.arrayBuffer()], { type: file.type })
  return { blob, thumb, name: rendered ? `${file.name.replace(/\.[^.]*$/, '')}.jpg` : file.name }
}

function renderIn(image: ImageBitmap, side: number): HTMLCanvasElement {
  const scale = Math.min(1, side / Math.max(image.width, image.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(image.width * scale))
  canvas.height = Math.max(1, Math.round(image.height * scale))
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return canvas
}

const blobOf = (canvas: HTMLCanvasElement, quality: number): Promise<Blob | null> =>
  new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality))
