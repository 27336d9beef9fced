import { Trans, useLingui } from '@lingui/react/macro'
import * as z from 'zod/mini'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { call } from '../../../../web/call.ts'
import { reload } from '../../../../web/query.ts'
import { Select } from '../../../../web/ui/Choice.tsx'
import { FormSlideOut } from '../../../../web/ui/FormSlideOut.tsx'
import { useZodForm } from '../../../../web/ui/form.ts'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { saveFormPdfLinks, showFormPdf } from '../../contract-pdf.ts'

interface Props {
  typeId: number
  view: ResponseOf<typeof showFormPdf>
  onClose: () => void
}

/** Names of PDF fields may contain dots and brackets, but names of form fields may not. So the key uses the index. */
const keyOf = (index: number) => `field${index}`
const typed = z.record(z.string(), z.string())

/** Panel that assigns questions to the fields of a PDF. */
export function PdfLinks({ typeId, view: { pdf, questions }, onClose }: Props) {
  const { t } = useLingui()
  const links = pdf?.links ?? []
  const byKey = (named: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(links.map((link, index) => [keyOf(index), (named[link.pdf] as string | undefined) ?? '']))
  const byName = (values: Readonly<Record<string, string>>) =>
    Object.fromEntries(links.map((link, index) => [link.pdf, values[keyOf(index)] ?? '']))
  const savedNames = Object.fromEntries(links.map((link) => [link.pdf, link.name]))
  const form = useZodForm(typed, {
    defaultValues: byKey(savedNames),
    basis: savedNames,
    toFormValues: byKey,
    draft: { name: `form-pdf-links-${typeId}` },
  })
  return (
    <FormSlideOut
      title={<Trans>Edit field mapping</Trans>}
      form={form}
      onClose={onClose}
      onSubmit={async (values) => {
        toast((await call(saveFormPdfLinks, { typeId, links: byName(values), basis: form.basis })).message)
        await reload(showFormPdf)
        onClose()
      }}
    >
      <p className="text-muted">
        <Trans>
          For each PDF field, choose the question that fills it. The mapping will apply to all PDFs created from now on,
          including PDFs of earlier submissions.
        </Trans>
      </p>
      {links.map((link, index) => (
        <Select
          key={link.pdf}
          label={link.label}
          options={[
            { value: '', label: t`None: the field stays empty` },
            ...questions.map(({ name, label }) => ({ value: name, label })),
            // Keeps a removed question as an option, because the PDF of older answers still uses the question.
            ...(link.name === '' || questions.some(({ name }) => name === link.name)
              ? []
              : [{ value: link.name, label: t`${link.name} (removed question)` }]),
          ]}
          {...form.field(keyOf(index))}
        />
      ))}
    </FormSlideOut>
  )
}
