import { Trans, useLingui } from '@lingui/react/macro'
import { Building2, Download, Pencil } from 'lucide-react'
import { useState } from 'react'
import { pickedTypes, sizeLabel, tooLarge, typeLabel } from '../../../shared/file-types.ts'
import { messageOf } from '../../../web/call.ts'
import { shortInstant } from '../../../web/clock.ts'
import { download } from '../../../web/download.ts'
import { setQuery } from '../../../web/go.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { ResponseSlideOut } from '../../../web/ui/ResponseView.tsx'
import { Button, IconButton } from '../../../web/ui/Button.tsx'
import { DetailList } from '../../../web/ui/Card.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { useUpload } from '../../../web/ui/upload.ts'
import { toast } from '../../../web/ui/Toasts.tsx'
import { downloadForm, formFiles, previewForm, replaceFormFile, showForm } from '../contract.ts'
import { forms } from '../list.ts'
import { formStates } from '../states.ts'
import { FilePicker } from '../../../web/ui/FilePicker.tsx'
import { Questions } from './Questions.tsx'
import type { FormDetails, Version } from './form.ts'
import { Code, Text } from '../../../web/ui/Text.tsx'

/** One form template: its fields, all versions of its file, and an upload for a newer one. */
export const FormSlideOut = ({ id, onClose }: { id: number; onClose: () => void }) => (
  <ResponseSlideOut
    title={<Trans>Form</Trans>}
    named={({ form }) => form.title}
    onClose={onClose}
    response={useResponse(showForm, { templateId: id })}
    loading={<Trans>Loading form</Trans>}
    shape="block"
    actions={({ form: { can, assignedCount } }) => (
      <>
        {can.edit && (can.assign || assignedCount > 0) && (
          <Button icon={Building2} onClick={() => setQuery({ assign: String(id) })}>
            <Trans>Assign</Trans>
          </Button>
        )}
        {can.edit && (
          <Button icon={Pencil} onClick={() => setQuery({ edit: String(id) })}>
            <Trans>Edit</Trans>
          </Button>
        )}
      </>
    )}
  >
    {(details) => <Details details={details} />}
  </ResponseSlideOut>
)

function Details({ details: { form, createdAt, createdBy, versions } }: { details: FormDetails }) {
  const { t } = useLingui()
  return (
    <>
      {form.description && <p className="mb-5 whitespace-pre-line">{form.description}</p>}
      <DetailList
        details={[
          [t`Category`, form.category],
          [t`Status`, <StateBadge key="status" of={formStates} state={form.status} />],
          [t`Companies`, form.assignedCount.toLocaleString('en-US')],
          [t`Added`, t`${shortInstant(createdAt)} by ${createdBy}`],
          [t`Changed`, t`${shortInstant(form.changedAt)} by ${form.changedBy}`],
        ]}
      />
      <Questions key={form.source} form={form} />
      <h3 className="mt-7 mb-2 text-lg">
        <Trans>Versions</Trans>
      </h3>
      <ul className="border-line border-t">
        {versions.map((version) => (
          <VersionRow key={version.version} form={form.id} title={form.title} version={version} />
        ))}
      </ul>
      {form.can.edit && <Replace id={form.id} />}
    </>
  )
}

function VersionRow({ form, title, version }: { form: number; title: string; version: Version }) {
  const { t } = useLingui()
  const { version: number, fileName, contentType, bytes, uploadedAt, uploadedBy } = version
  const save = () =>
    download(downloadForm, { templateId: form, version: number }).catch((error: unknown) =>
      toast(messageOf(error), 'danger'),
    )
  return (
    <li className="flex items-start gap-3 border-line border-b py-2.5">
      {contentType.startsWith('image/') && <Preview form={form} version={number} />}
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere">
          <strong>
            <Trans>Version {number}</Trans>
          </strong>{' '}
          <Code>{fileName}</Code>
        </p>
        <p className="text-muted text-sm">
          <Text>{typeLabel(contentType)}</Text>, <Text>{sizeLabel(bytes)}</Text> ·{' '}
          <Trans>
            {shortInstant(uploadedAt)} by {uploadedBy}
          </Trans>
        </p>
      </div>
      <IconButton icon={Download} label={t`Download version ${number} of ${title}`} onClick={() => void save()} />
    </li>
  )
}

/** Thumbnail of an image file. The row has the name, so the image needs no alternative text. */
function Preview({ form, version }: { form: number; version: number }) {
  const { data } = useResponse(previewForm, { templateId: form, version })
  return data?.preview ? (
    <img src={data.preview} alt="" className="h-16 w-20 shrink-0 rounded-sm border border-line object-contain" />
  ) : null
}

/** Upload of a newer file. It requires confirmation, because a version is permanent. */
function Replace({ id }: { id: number }) {
  const [file, setFile] = useState<File | null>(null)
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const { upload, send: sendOne } = useUpload()
  const choose = (chosen: File | null) => {
    setProblem(chosen && chosen.size > formFiles.maxBytes ? tooLarge(formFiles) : undefined)
    setFile(chosen)
  }
  const send = async () => {
    if (!file) return
    setBusy(true)
    try {
      const fields = { templateId: String(id) }
      toast((await sendOne({ takes: replaceFormFile, by: formFiles, file, fields })).message)
      setFile(null)
      await Promise.all([reload(forms.call), reload(showForm)])
    } catch (error) {
      setProblem(messageOf(error))
    }
    setBusy(false)
  }
  return (
    <div className="mt-7 flex flex-col gap-3">
      <FilePicker
        accept={pickedTypes(formFiles)}
        hint={<Trans>PDF, Word (.docx), PNG or JPG, up to 5 MB</Trans>}
        label={<Trans>Replace file</Trans>}
        value={file}
        onChange={choose}
        error={problem}
        upload={upload}
      />
      {file && !problem && (
        <Button
          variant="primary"
          className="self-start"
          busy={busy}
          busyLabel={<Trans>Uploading.....</Trans>}
          onClick={() => void send()}
        >
          <Trans>Save as new version</Trans>
        </Button>
      )}
    </div>
  )
}
