import { useState } from 'react'
import type { ResponseOf, Endpoint } from '../../shared/endpoint.ts'
import { type Progress, type FileUploadInput, sendFile } from '../send-file.ts'

/** A file on its way, for `UploadProgress`. */
export interface Upload {
  progress: Progress
  stop: () => void
}

/** Sends files and says how far the one is that is on its way; null where none is, or it is too small to be told. */
export function useUpload() {
  const [upload, setUpload] = useState<Upload | null>(null)
  const send = async <E extends Endpoint>(sent: FileUploadInput<E>): Promise<ResponseOf<E>> => {
    const stopping = new AbortController()
    const stop = () => stopping.abort()
    try {
      return await sendFile(sent, {
        onProgress: (progress) => setUpload({ progress, stop }),
        signal: stopping.signal,
      })
    } finally {
      setUpload(null)
    }
  }
  return { upload, send }
}
