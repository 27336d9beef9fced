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
  shown: ResponseOf<typeof showFormPdf>
  onClose: () => void
}

/** Names of a PDF's fields may have dots and brackets, which a form's own names can't: each stands under its number. */
const keyOf = (nth: number) => `field${nth}`
const typed = z.record(z.string(), z.string())

/** Which question is written into which field of the PDF. */
export function PdfLinks({ typeId, shown: { pdf, questions }, onClose }: Props) {
  const { t } = useLingui()
  const links = pdf?.links ?? []
  const byKey = (named: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(links.map((link, nth) => [keyOf(nth), (named[link.pdf] as string | undefined) ?? '']))
  const byName = (values: Readonly<Record<string, string>>) =>
    Object.fromEntries(links.map((link, nth) => [link.pdf, values[keyOf(nth)] ?? '']))
  const kept = Object.fromEntries(links.map((link) => [link.pdf, link.name]))
  const form = useZodForm(typed, {
    defaultValues: byKey(kept),
    basis: kept,
    shown: byKey,
    draft: { name: `form-pdf-links-${typeId}` },
  })
  return (
    <FormSlideOut
      title={<Trans>What is written where</Trans>}
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
          For each field of the PDF the question whose answer is written into it. It counts for every copy that is drawn
          from now on, also of what was sent before.
        </Trans>
      </p>
      {links.map((link, nth) => (
        <Select
          key={link.pdf}
          label={link.label}
          options={[
            { value: '', label: t`Nothing: it stays empty` },
            ...questions.map(({ name, label }) => ({ value: name, label })),
            // One that is asked no more is still what older answers are written from.
            ...(link.name === '' || questions.some(({ name }) => name === link.name)
              ? []
              : [{ value: link.name, label: t`${link.name} (asked no more)` }]),
          ]}
          {...form.field(keyOf(nth))}
        />
      ))}
    </FormSlideOut>
  )
}
