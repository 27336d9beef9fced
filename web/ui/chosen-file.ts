import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { Attachments } from '../../shared/attachments.ts'
import type { ResponseOf, Endpoint } from '../../shared/endpoint.ts'
import { tooLarge } from '../../shared/file-types.ts'
import { messageOf } from '../call.ts'
import { useUpload } from './upload.ts'

/**
 * Manages a file that the person first chooses and then sends with a separate button. `<FilePicker {...picker}>` shows
 * the file and errors.
 */
export function useChosenFile(use: Attachments) {
  const { t } = useLingui()
  const [file, setFile] = useState<File | null>(null)
  const [problem, setProblem] = useState('')
  const [refusals, setRefusals] = useState(0)
  const { upload, send: sendFile } = useUpload()
  const errorWith = (chosen: File) => (chosen.size > use.maxBytes ? tooLarge(use) : '')
  const choose = (chosen: File | null) => {
    setFile(chosen)
    setProblem(chosen ? errorWith(chosen) : '')
  }
  const refuse = (message: string) => {
    setProblem(message)
    setRefusals((n) => n + 1)
    return null
  }
  /**
   * Sends the file and returns the response. Returns null if no file was sent or the server refused it. An error then
   * appears below the field.
   */
  const send = async <E extends Endpoint>(
    takes: E,
    fields: Record<string, string> = {},
  ): Promise<ResponseOf<E> | null> => {
    const problem = file ? errorWith(file) : t`Choose a file first.`
    setProblem(problem)
    if (!file || problem !== '') return refuse(problem)
    try {
      return await sendFile({ takes, by: use, file, fields })
    } catch (error) {
      return refuse(messageOf(error))
    }
  }
  return { picker: { value: file, onChange: choose, error: problem || undefined, refusals, upload }, send }
}
