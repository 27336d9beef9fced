import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { ListTree, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type * as z from 'zod/mini'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { translated } from '../../../../shared/messages.ts'
import { call, messageOf } from '../../../../web/call.ts'
import { setQuery } from '../../../../web/go.ts'
import { useResponse } from '../../../../web/query.ts'
import { ResponseView } from '../../../../web/ui/ResponseView.tsx'
import { Button, IconButton } from '../../../../web/ui/Button.tsx'
import { CloseAction, SlideOut } from '../../../../web/ui/Dialog.tsx'
import { FormDialog } from '../../../../web/ui/FormDialog.tsx'
import { editConflictOf, useZodForm } from '../../../../web/ui/form.ts'
import { TextField } from '../../../../web/ui/TextField.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { categoryForm, faqCategories, orderFaqs, removeFaqCategory, saveFaqCategory } from '../../contract-staff.ts'
import { faqStates } from '../../states.ts'
import { refreshFaqs } from './fresh.ts'
import { type SortItem, SortList } from './SortList.tsx'

type Categories = ResponseOf<typeof faqCategories>

interface PanelProps {
  onClose: () => void
}

/** Saves the order after each move, and shows the new order while it is being saved. */
function useOrder(categoryId: number | null, stored: readonly number[]) {
  const { t } = useLingui()
  const [moved, setMoved] = useState<{ order: number[]; from: string } | null>(null)
  const [notice, setNotice] = useState('')
  const order = moved?.from === stored.join() ? moved.order : stored
  const put = async (next: number[], name: string, id: number) => {
    setMoved({ order: next, from: stored.join() })
    setNotice(t`${name} is number ${next.indexOf(id) + 1} of ${next.length}.`)
    try {
      await call(orderFaqs, { categoryId, order: next, basis: { order: [...order] } })
    } catch (error) {
      setMoved(null)
      const isMoved = editConflictOf(error) !== null
      toast(
        isMoved ? t`Someone else changed the order. Check it, then move your item again.` : messageOf(error),
        'danger',
      )
    }
    await refreshFaqs()
  }
  return { order, put, notice }
}

const inOrder = <Row extends { id: number }>(rows: readonly Row[], order: readonly number[]): Row[] =>
  order.flatMap((id) => rows.find((row) => row.id === id) ?? [])

/** Categories with their order, names and questions. */
export function CategoriesPanel({ onClose }: PanelProps) {
  const response = useResponse(faqCategories, {})
  const [named, setNamed] = useState<{ id: number | null; name: string } | null>(null)
  return (
    <>
      <SlideOut
        title={<Trans>Categories and order</Trans>}
        onClose={onClose}
        actions={
          <>
            {response.data?.can.edit && (
              <Button variant="primary" icon={Plus} onClick={() => setNamed({ id: null, name: '' })}>
                <Trans>Add category</Trans>
              </Button>
            )}
            <CloseAction onClose={onClose} />
          </>
        }
      >
        <ResponseView response={response} loading={<Trans>Loading categories</Trans>} rows={6}>
          {(loaded) => <Categories loaded={loaded} onName={setNamed} />}
        </ResponseView>
      </SlideOut>
      {named && <NameDialog {...named} onClose={() => setNamed(null)} />}
    </>
  )
}

interface CategoriesProps {
  loaded: Categories
  onName: (named: { id: number; name: string }) => void
}

function Categories({ loaded: { categories, can }, onName }: CategoriesProps) {
  const { t } = useLingui()
  const mayEdit = can.edit
  const { order, put, notice } = useOrder(
    null,
    categories.map(({ id }) => id),
  )
  const remove = async (categoryId: number) => {
    try {
      toast((await call(removeFaqCategory, { categoryId })).message)
    } catch (error) {
      toast(messageOf(error), 'danger')
    }
    await refreshFaqs()
  }
  const rows = inOrder(categories, order).map(({ id, name, faqs }): SortItem => ({
    id,
    name,
    note: <Plural value={faqs.length} _0="No FAQs yet" one="# FAQ" other="# FAQs" />,
    actions: (
      <>
        <IconButton
          icon={ListTree}
          label={t`Reorder the FAQs in ${name}`}
          disabled={faqs.length === 0}
          onClick={() => setQuery({ category: String(id) })}
        />
        {mayEdit && <IconButton icon={Pencil} label={t`Rename ${name}`} onClick={() => onName({ id, name })} />}
        {mayEdit && (
          <IconButton
            icon={Trash2}
            label={t`Remove ${name}`}
            disabled={faqs.length > 0}
            onClick={() => void remove(id)}
          />
        )}
      </>
    ),
  }))
  return (
    <>
      <p className="mb-4 text-muted">
        <Trans>Residents see the categories in this order. You can remove only categories without FAQs.</Trans>
      </p>
      {rows.length === 0 && (
        <p>
          <Trans>No categories yet. Add the first one.</Trans>
        </p>
      )}
      {rows.length > 0 && (
        <SortList
          label={t`Categories`}
          rows={rows}
          mayMove={mayEdit}
          onOrder={(next, moved) => void put(next, rows.find(({ id }) => id === moved)?.name ?? '', moved)}
        />
      )}
      <p role="status" className="spoken">
        {notice}
      </p>
    </>
  )
}

type CategoryForm = z.output<typeof categoryForm>

function NameDialog({ id, name, onClose }: { id: number | null; name: string; onClose: () => void }) {
  const { t } = useLingui()
  const form = useZodForm<CategoryForm, CategoryForm>(categoryForm, {
    defaultValues: { name },
    ...(id !== null && { basis: { name } }),
  })
  return (
    <FormDialog
      title={id === null ? <Trans>Add category</Trans> : <Trans>Rename category</Trans>}
      form={form}
      onSubmit={async (values) => {
        toast((await call(saveFaqCategory, { ...values, categoryId: id, basis: form.basis })).message)
        await refreshFaqs()
      }}
      onClose={onClose}
    >
      <TextField label={t`Name`} maxLength={60} autoComplete="off" {...form.field('name')} />
    </FormDialog>
  )
}

/** Questions of one category, in the order that residents see. */
export function QuestionsPanel({ category, onClose }: PanelProps & { category: number }) {
  const { t } = useLingui()
  const response = useResponse(faqCategories, {})
  const selected = response.data?.categories.find(({ id }) => id === category)
  return (
    <SlideOut
      title={selected?.name ?? t`Questions`}
      onClose={onClose}
      actions={
        <Button onClick={onClose}>
          <Trans>Back to categories</Trans>
        </Button>
      }
    >
      <ResponseView response={response} loading={<Trans>Loading questions</Trans>} rows={8}>
        {({ can }) =>
          selected ? (
            <Questions key={category} category={selected} mayEdit={can.edit} />
          ) : (
            <p>
              <Trans>This category no longer exists.</Trans>
            </p>
          )
        }
      </ResponseView>
    </SlideOut>
  )
}

function Questions({
  category: { id, faqs },
  mayEdit,
}: {
  category: Categories['categories'][number]
  mayEdit: boolean
}) {
  const { t } = useLingui()
  const { order, put, notice } = useOrder(
    id,
    faqs.map((faq) => faq.id),
  )
  const rows = inOrder(faqs, order).map(({ id: faq, question, status }): SortItem => ({
    id: faq,
    name: question,
    ...(status === 'draft' && { note: translated(faqStates.labels.draft) }),
  }))
  return (
    <>
      <p className="mb-4 text-muted">
        <Trans>Residents see the FAQs in this order.</Trans>
      </p>
      <SortList
        label={t`Questions`}
        rows={rows}
        mayMove={mayEdit}
        onOrder={(next, moved) => void put(next, rows.find((row) => row.id === moved)?.name ?? '', moved)}
      />
      <p role="status" className="spoken">
        {notice}
      </p>
    </>
  )
}
