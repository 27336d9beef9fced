import { useState } from 'react'
import type { ResponseOf, Endpoint } from '../../shared/endpoint.ts'
import { type Progress, type FileUploadInput, sendFile } from '../send-file.ts'

export interface Upload {
  progress: Progress
  stop: () => void
}

/**
 * Returns a function that uploads files, and the upload's progress as `upload`. The progress is null if no upload is
 * running, or if the file is so small that it is not uploaded in parts.
 */
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
