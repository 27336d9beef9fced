import { Trans, useLingui } from '@lingui/react/macro'
import type { Editor } from '@tiptap/core'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { call } from '../../../../web/call.ts'
import { setQuery } from '../../../../web/go.ts'
import { useResponse } from '../../../../web/query.ts'
import { OnceLoaded } from '../../../../web/ui/ResponseView.tsx'
import { DateField, Select } from '../../../../web/ui/Choice.tsx'
import { FormSlideOut } from '../../../../web/ui/FormSlideOut.tsx'
import { useZodForm, type ZodForm } from '../../../../web/ui/form.ts'
import { LinkDialog } from '../../../../web/ui/office/rich-text/LinkDialog.tsx'
import { TextField } from '../../../../web/ui/TextField.tsx'
import { rowsOfText, TextRows } from '../../../../web/ui/TextRows.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import {
  faqCategories,
  type FaqForm,
  faqForm,
  faqLinkTargets,
  saveFaq,
  showFaq,
  writeFaq,
} from '../../contract-staff.ts'
import type { RichText } from '../../../../shared/rich-text.ts'
import { refreshFaqs } from './fresh.ts'

/** Loaded separately, because the editor is larger than the rest of these screens. */
const RichTextField = lazy(() => import('../../../../web/ui/office/RichText.tsx'))

const nothing: RichText = { type: 'doc', content: [{ type: 'paragraph' }] }

interface WriteProps {
  /** Unsuccessful search that the question answers, with its original text. */
  search?: { id: number; query: string } | undefined
  onClose: () => void
}

/** Form for a new question. It is a draft until staff publish it. */
export function WriteFaq({ search, onClose }: WriteProps) {
  const searchedText = search?.query ?? ''
  const form = useZodForm<FaqForm, FaqForm>(faqForm, {
    defaultValues: {
      categoryId: '',
      question: searchedText,
      answer: nothing,
      alternatives: searchedText,
      visibleFrom: '',
      visibleUntil: '',
    },
    draft: { name: `faq-new-${search?.id ?? ''}` },
  })
  const write = async (values: FaqForm) => {
    const { message, faqId } = await call(writeFaq, { form: values, searchId: search?.id ?? null })
    toast(message)
    await refreshFaqs()
    setQuery({ write: null, search: null, question: String(faqId) })
  }
  return <Panel title={<Trans>Add FAQ</Trans>} form={form} onSubmit={write} onClose={onClose} />
}

export const EditFaq = ({ id, onClose }: { id: number; onClose: () => void }) => (
  <OnceLoaded
    title={<Trans>Edit FAQ</Trans>}
    onClose={onClose}
    response={useResponse(showFaq, { faqId: id })}
    loading={<Trans>Loading FAQ</Trans>}
  >
    {(loaded) => <ExistingFaq key={id} id={id} loaded={loaded} onClose={onClose} />}
  </OnceLoaded>
)

interface ExistingFaqProps {
  id: number
  loaded: ResponseOf<typeof showFaq>
  onClose: () => void
}

function ExistingFaq({ id, loaded: { form: stored }, onClose }: ExistingFaqProps) {
  const form = useZodForm<FaqForm, FaqForm>(faqForm, {
    defaultValues: stored,
    basis: { ...stored },
    draft: { name: `faq-${id}` },
  })
  const save = async (values: FaqForm) => {
    toast((await call(saveFaq, { faqId: id, form: values, basis: form.basis })).message)
    await refreshFaqs()
    onClose()
  }
  return <Panel title={<Trans>Edit FAQ</Trans>} form={form} onSubmit={save} onClose={onClose} />
}

interface PanelProps {
  title: ReactNode
  form: ZodForm<FaqForm, FaqForm>
  onSubmit: (values: FaqForm) => Promise<void>
  onClose: () => void
}

function Panel({ title, form, onSubmit, onClose }: PanelProps) {
  const { t } = useLingui()
  const { data } = useResponse(faqCategories, {})
  const [linking, setLinking] = useState<Editor | null>(null)
  const category = form.choice('categoryId')
  return (
    <>
      <FormSlideOut title={title} form={form} onSubmit={onSubmit} onClose={onClose}>
        <TextField
          label={t`Question`}
          hint={t`Enter the question as residents would ask it.`}
          maxLength={200}
          autoComplete="off"
          {...form.field('question')}
        />
        <Select
          label={t`Category`}
          placeholder={t`Choose a category`}
          options={(data?.categories ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
          {...category}
          onChange={({ target }) => category.onChange(target.value)}
        />
        <Suspense fallback={<div className="min-h-56" />}>
          <RichTextField label={t`Answer`} {...form.choice('answer')} onLink={setLinking} />
        </Suspense>
        <TextRows
          label={t`Other wordings`}
          hint={t`Other wordings are used only for search.`}
          addLabel={t`Add a wording`}
          max={50}
          optional
          {...rowsOfText(form.choice('alternatives'))}
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <DateField
            label={t`Shown from`}
            hint={t`If empty, the FAQ is shown as soon as it is published.`}
            optional
            {...form.field('visibleFrom')}
          />
          <DateField
            label={t`Shown until`}
            hint={t`If empty, the FAQ is shown with no end date.`}
            optional
            {...form.field('visibleUntil')}
          />
        </div>
      </FormSlideOut>
      {linking && <AnswerLink editor={linking} onClose={() => setLinking(null)} />}
    </>
  )
}

function AnswerLink(props: { editor: Editor; onClose: () => void }) {
  const { data } = useResponse(faqLinkTargets, {})
  return <LinkDialog targets={data?.targets ?? []} {...props} />
}
