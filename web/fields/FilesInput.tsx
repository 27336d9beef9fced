import { Trans } from '@lingui/react/macro'
import type { FileAnswer } from '../../shared/fields/answer.ts'
import type { FieldOf } from '../../shared/fields/definition.ts'
import { JPEG, PDF, PNG } from '../../shared/file-types.ts'
import { say } from '../../shared/messages.ts'
import { CallError } from '../call.ts'
import { FileUpload } from '../ui/FileUpload.tsx'
import { type InputProps, useSurroundings } from './surroundings.tsx'

/** Accepted file types. If an input accepts only these types, a phone converts its own image format to one of them. */
const TAKES = {
  images: [JPEG, PNG],
  documents: [JPEG, PNG, PDF],
} as const

/** Returns the reason that this field does not accept the file. Null if it accepts the file. */
function refusalOf({ accept, maxMegabytes }: FieldOf<'file'>, { name, type, size }: File): string | null {
  const types: readonly string[] = TAKES[accept]
  if (type !== '' && !types.includes(type))
    return accept === 'images'
      ? say`“${name}” is not an image. Add a JPEG or PNG.`
      : say`“${name}” is not a supported file type. Add a JPEG, PNG or PDF.`
  return size > maxMegabytes * 1_000_000 ? say`“${name}” is larger than ${maxMegabytes} MB. Add a smaller file.` : null
}

/** Input for files. Each file is uploaded as soon as it is chosen. */
export function FilesInput({ field, value, onChange, errorAt }: InputProps<FieldOf<'file'>>) {
  const { upload } = useSurroundings()
  const files = Array.isArray(value) ? (value as FileAnswer[]) : []
  const { maxFiles, maxMegabytes } = field
  return (
    <div>
      <FileUpload
        label={field.label}
        optional={!field.required}
        error={errorAt()}
        accepts={TAKES[field.accept]}
        hint={
          <>
            {field.help && <span className="block">{field.help}</span>}
            {field.accept === 'images' ? <Trans>JPEG or PNG</Trans> : <Trans>JPEG, PNG or PDF</Trans>}
            {', '}
            {maxFiles === 1 ? (
              <Trans>1 file, up to {maxMegabytes} MB</Trans>
            ) : (
              <Trans>
                up to {maxFiles} files, {maxMegabytes} MB each
              </Trans>
            )}
          </>
        }
        uploaded={files.map(({ id, owner, name }) => ({ file_id: id, path: '', name, owner }))}
        send={async (file) => {
          // The upload call does not receive the field, so the field's limits are checked here.
          const refusal = refusalOf(field, file)
          if (refusal) throw new CallError(0, 'wrong_file', refusal)
          const { id, owner, name } = await upload(field, file)
          return { file_id: id, path: '', name, owner }
        }}
        onChange={(sent) =>
          onChange(
            sent.map((file) => ({
              owner: (file as { owner?: string }).owner ?? '',
              id: String(file.file_id),
              name: file.name ?? '',
            })),
          )
        }
      />
    </div>
  )
}
