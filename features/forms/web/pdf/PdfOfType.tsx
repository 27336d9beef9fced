import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { ArrowRightLeft, Download, FileUp, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { pickedTypes, sizeLabel, tooLarge } from '../../../../shared/file-types.ts'
import { useAct } from '../../../../web/act.ts'
import { call, messageOf } from '../../../../web/call.ts'
import { shortInstant } from '../../../../web/clock.ts'
import { reload, useResponse } from '../../../../web/query.ts'
import { ResponseView } from '../../../../web/ui/ResponseView.tsx'
import { Button } from '../../../../web/ui/Button.tsx'
import { DetailList } from '../../../../web/ui/Card.tsx'
import { RadioCards } from '../../../../web/ui/Choice.tsx'
import { ConfirmDialog } from '../../../../web/ui/Dialog.tsx'
import { FilePicker } from '../../../../web/ui/FilePicker.tsx'
import { Notice, Refusal } from '../../../../web/ui/Notice.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { useUpload } from '../../../../web/ui/upload.ts'
import { showFormType } from '../../contract.ts'
import {
  addFormPdf,
  downloadFormPdf,
  formPdfFiles,
  removeFormPdf,
  showFormPdf,
  importLibraryPdf,
} from '../../contract-pdf.ts'
import { saved } from '../documents/labels.ts'
import { PdfLinks } from './PdfLinks.tsx'

type ShowFormPdfResponse = ResponseOf<typeof showFormPdf>
type FieldsTo = 'form' | 'match'

const refresh = () => Promise.all([reload(showFormPdf), reload(showFormType)])

/** Section about a form's PDF, with the fields that the portal fills in and buttons to replace the PDF. */
export function PdfOfType({ typeId, hasFields }: { typeId: number; hasFields: boolean }) {
  const { t } = useLingui()
  const response = useResponse(showFormPdf, { typeId })
  return (
    <section aria-label={t`PDF`} className="border-line border-t pt-5">
      <h3 className="mb-2">
        <Trans>PDF form</Trans>
      </h3>
      <ResponseView response={response} loading={<Trans>Loading PDF</Trans>} shape="lines">
        {(view) => <FormPdfContent typeId={typeId} view={view} hasFields={hasFields} />}
      </ResponseView>
    </section>
  )
}

function FormPdfContent({
  typeId,
  view,
  hasFields,
}: {
  typeId: number
  view: ShowFormPdfResponse
  hasFields: boolean
}) {
  const { pdf, libraryFile, can } = view
  const [adding, setAdding] = useState(false)
  const [linking, setLinking] = useState(false)
  const [removing, setRemoving] = useState(false)
  const { act, busy, refusal } = useAct(refresh)
  return (
    <div className="flex flex-col gap-4">
      {pdf ? (
        <PdfDetails pdf={pdf} />
      ) : (
        <p>
          <Trans>
            No PDF yet. If you add a PDF with fillable fields, the portal can turn the fields into questions and put the
            residents’ answers into the PDF. If the PDF has no fillable fields, residents download it, fill it out and
            upload it.
          </Trans>
        </p>
      )}
      <Refusal>{refusal}</Refusal>
      <div className="flex flex-wrap gap-2">
        {pdf && (
          <Button
            size="small"
            icon={Download}
            busy={busy}
            onClick={() => void act(() => saved(downloadFormPdf, { typeId, which: 'original' }))}
          >
            <Trans>Download original PDF</Trans>
          </Button>
        )}
        {pdf?.proof && (
          <Button
            size="small"
            icon={Download}
            busy={busy}
            onClick={() => void act(() => saved(downloadFormPdf, { typeId, which: 'sample' }))}
          >
            <Trans>Download filled-in sample</Trans>
          </Button>
        )}
        {can.edit && pdf?.kind === 'fillable' && (
          <Button size="small" icon={ArrowRightLeft} onClick={() => setLinking(true)}>
            <Trans>Edit field mapping</Trans>
          </Button>
        )}
        {can.edit && !adding && (
          <Button size="small" icon={FileUp} onClick={() => setAdding(true)}>
            {pdf ? <Trans>Replace PDF</Trans> : <Trans>Add PDF</Trans>}
          </Button>
        )}
        {can.edit && pdf && (
          <Button size="small" icon={Trash2} onClick={() => setRemoving(true)}>
            <Trans>Remove PDF</Trans>
          </Button>
        )}
      </div>
      {adding && (
        <AddPdf typeId={typeId} libraryFile={libraryFile} hasFields={hasFields} onDone={() => setAdding(false)} />
      )}
      {linking && <PdfLinks typeId={typeId} view={view} onClose={() => setLinking(false)} />}
      {removing && (
        <ConfirmDialog
          title={<Trans>Remove the PDF?</Trans>}
          confirmLabel={<Trans>Remove PDF</Trans>}
          danger
          busy={busy}
          onClose={() => setRemoving(false)}
          onConfirm={() => void act(() => call(removeFormPdf, { typeId })).then(() => setRemoving(false))}
        >
          <Trans>Forms already submitted with this PDF will keep it. The questions will stay the same.</Trans>
        </ConfirmDialog>
      )}
    </div>
  )
}

function PdfDetails({ pdf }: { pdf: NonNullable<ShowFormPdfResponse['pdf']> }) {
  const { t } = useLingui()
  return (
    <>
      <DetailList
        details={[
          [t`File`, t`${pdf.fileName}, ${sizeLabel(pdf.bytes)}`],
          [t`Added`, t`${shortInstant(pdf.addedAt)}, ${pdf.addedBy}`],
          ...(pdf.proof
            ? ([
                [
                  t`Filled in`,
                  t`${pdf.filled} of ${plural(pdf.proof.of, { one: '# field', other: '# fields' })}, from residents’ answers`,
                ],
                [
                  t`Test results`,
                  pdf.proof.rendered
                    .map(
                      ({ by, count }) =>
                        t`${by} shows ${count} of ${plural(pdf.proof?.of ?? 0, { one: '# field', other: '# fields' })}`,
                    )
                    .join(', '),
                ],
              ] as const)
            : ([
                [
                  t`Filled in`,
                  t`By hand, because the PDF has no fields. Residents download the PDF, fill it out and upload it.`,
                ],
              ] as const)),
        ]}
      />
      {pdf.proof && pdf.proof.unseen.length > 0 && (
        <Notice tone="warning" title={<Trans>Some answers may not be visible</Trans>}>
          <Trans>
            Some programs do not show the answers in these fields: {pdf.proof.unseen.join(', ')}. Make the fields larger
            in the PDF, or remove them.
          </Trans>
        </Notice>
      )}
      {pdf.empty.length > 0 && (
        <p className="text-sm">
          <Trans>No question fills these fields, so they stay empty: {pdf.empty.join(', ')}.</Trans>
        </p>
      )}
      {pdf.leftOut.length > 0 && (
        <p className="text-muted text-sm">
          <Trans>
            The portal does not fill in these fields, such as buttons and digital signatures: {pdf.leftOut.join(', ')}.
          </Trans>
        </p>
      )}
    </>
  )
}

interface AddPdfProps {
  typeId: number
  libraryFile: string
  /** True if the form already has questions. Questions from the fields of a new PDF can replace them. */
  hasFields: boolean
  onDone: () => void
}

function AddPdf({ typeId, libraryFile, hasFields, onDone }: AddPdfProps) {
  const { t } = useLingui()
  const [file, setFile] = useState<File | null>(null)
  const [errorMessage, setErrorMessage] = useState<string>()
  const [fieldsTo, setFieldsTo] = useState<FieldsTo>(hasFields ? 'match' : 'form')
  const [busy, setBusy] = useState(false)
  const { upload, send } = useUpload()
  const add = async (take: () => Promise<{ message: string }>) => {
    setBusy(true)
    setErrorMessage(undefined)
    try {
      toast((await take()).message)
      await refresh()
      onDone()
    } catch (error) {
      setErrorMessage(messageOf(error))
      setBusy(false)
    }
  }
  const sendFile = () => {
    if (!file) return setErrorMessage(t`Choose a file.`)
    if (file.size > formPdfFiles.maxBytes) return setErrorMessage(tooLarge(formPdfFiles))
    const fields = { typeId: String(typeId), fieldsTo }
    return void add(() => send({ takes: addFormPdf, by: formPdfFiles, file, fields }))
  }
  return (
    <div className="flex flex-col gap-4 rounded-sm border border-edge bg-paper p-4">
      <FilePicker
        accept={pickedTypes(formPdfFiles)}
        hint={<Trans>Upload a PDF of up to 25 MB.</Trans>}
        label={<Trans>File</Trans>}
        value={file}
        onChange={(chosen) => {
          setFile(chosen)
          setErrorMessage(undefined)
        }}
        error={errorMessage}
        upload={upload}
      />
      <RadioCards<FieldsTo>
        name="fields-to"
        label={t`How are the PDF fields used?`}
        value={fieldsTo}
        onChange={setFieldsTo}
        options={[
          {
            value: 'form',
            label: t`Create questions from the fields`,
            note: hasFields
              ? t`The new questions will replace the current draft questions.`
              : t`The fields will become draft questions that you can edit and publish.`,
          },
          {
            value: 'match',
            label: t`Fill the fields from existing questions`,
            note: t`Each field uses the question with the same name.`,
          },
        ]}
      />
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" busy={busy} onClick={sendFile}>
          <Trans>Upload and test</Trans>
        </Button>
        {libraryFile && (
          <Button busy={busy} onClick={() => void add(() => call(importLibraryPdf, { typeId, fieldsTo }))}>
            <Trans>Use {libraryFile} from the library</Trans>
          </Button>
        )}
        <Button disabled={busy} onClick={onDone}>
          <Trans>Go back</Trans>
        </Button>
      </div>
    </div>
  )
}
