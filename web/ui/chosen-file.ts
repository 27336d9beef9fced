import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { Attachments } from '../../shared/attachments.ts'
import type { AnswerOf, Endpoint } from '../../shared/endpoint.ts'
import { tooLarge } from '../../shared/file-types.ts'
import { sentenceOf } from '../call.ts'
import { useUpload } from './upload.ts'

/** One file that is chosen and then sent by a button of its own: `<FilePicker {...picker}>` shows it and what is wrong. */
export function useChosenFile(use: Attachments) {
  const { t } = useLingui()
  const [file, setFile] = useState<File | null>(null)
  const [problem, setProblem] = useState('')
  const [refusals, setRefusals] = useState(0)
  const { upload, send: sendFile } = useUpload()
  const wrongWith = (chosen: File) => (chosen.size > use.mostBytes ? tooLarge(use) : '')
  const choose = (chosen: File | null) => {
    setFile(chosen)
    setProblem(chosen ? wrongWith(chosen) : '')
  }
  const refuse = (sentence: string) => {
    setProblem(sentence)
    setRefusals((n) => n + 1)
    return null
  }
  /** The answer; null where nothing was sent or it was refused, which stands beneath the field then. */
  const send = async <E extends Endpoint>(
    takes: E,
    fields: Record<string, string> = {},
  ): Promise<AnswerOf<E> | null> => {
    const wrong = file ? wrongWith(file) : t`Choose a file first.`
    setProblem(wrong)
    if (!file || wrong !== '') return refuse(wrong)
    try {
      return await sendFile({ takes, by: use, file, fields })
    } catch (error) {
      return refuse(sentenceOf(error))
    }
  }
  return { picker: { value: file, onChange: choose, error: problem || undefined, refusals, upload }, send }
}
