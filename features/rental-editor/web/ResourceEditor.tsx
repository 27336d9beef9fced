import { Trans, useLingui } from '@lingui/react/macro'
import { ListChecks } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatShortDate } from '../../../shared/dates.ts'
import { useAct } from '../../../web/act.ts'
import { call } from '../../../web/call.ts'
import { setQuery } from '../../../web/go.ts'
import { useResponse } from '../../../web/query.ts'
import { OnceLoaded } from '../../../web/ui/ResponseView.tsx'
import { Button, LinkButton } from '../../../web/ui/Button.tsx'
import { CloseAction, SlideOut } from '../../../web/ui/Dialog.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { FormButtons } from '../../../web/ui/FormButtons.tsx'
import { FormSlideOut } from '../../../web/ui/FormSlideOut.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { Refusal } from '../../../web/ui/Notice.tsx'
import { Text } from '../../../web/ui/Text.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { addResource, removeBlackout, type ResourceForm, saveResource, showResource } from '../../rentals/contract.ts'
import { STAFF_PATH } from '../../rentals/rules.ts'
import { reloadRentals } from '../../rentals/web/parts/fresh.ts'
import type { ResourceEditorProps } from '../../rentals/web/parts/page-parts.ts'
import { Waitlist } from '../../rentals/web/parts/Waitlist.tsx'
import { EditorFields, ResidentPreview } from './EditorFields.tsx'
import { blank, type ResourceInput, rules, typedOf } from './resource-form.ts'
import { AddBlackout, AddSpace } from './ResourceDialogs.tsx'
import { DescribePhoto, type Photo, ResourcePhotos } from './ResourcePhotos.tsx'

/** Editor of a rental resource, with its spaces, closures and photos. */
export default function ResourceEditor({ id, onClose }: ResourceEditorProps) {
  return id === null ? <AddResource onClose={onClose} /> : <StoredResource id={id} onClose={onClose} />
}

function AddResource({ onClose }: { onClose: () => void }) {
  const form = useZodForm<ResourceInput, ResourceForm>(rules, {
    defaultValues: typedOf(blank) as never,
    draft: { name: 'rental-resource-editor-new' },
  })
  const save = async (values: ResourceForm) => {
    const { message, resourceId } = await call(addResource, values)
    toast(message)
    await reloadRentals()
    // Staff add spaces, closures and photos to the new resource there.
    setQuery({ of: 'resources', rental: String(resourceId) })
  }
  return (
    <FormSlideOut title={<Trans>Add a resource</Trans>} form={form} onSubmit={save} onClose={onClose}>
      <p className="text-muted">
        <Trans>A draft is hidden from residents. You can add photos, spaces and closures after the first save.</Trans>
      </p>
      <EditorFields form={form} stored={{}} isNew />
    </FormSlideOut>
  )
}

function StoredResource({ id, onClose }: { id: number; onClose: () => void }) {
  const response = useResponse(showResource, { resourceId: id })
  return (
    <OnceLoaded
      title={<Trans>Resource</Trans>}
      loading={<Trans>Loading the resource</Trans>}
      failed={<Trans>Could not load the resource</Trans>}
      response={response}
      onClose={onClose}
    >
      {(data) => <ResourceContent id={id} data={data} onClose={onClose} />}
    </OnceLoaded>
  )
}

type Data = ResponseOf<typeof showResource>

function ResourceContent({ id, data, onClose }: { id: number; data: Data; onClose: () => void }) {
  const { t } = useLingui()
  const [adds, setAdds] = useState<'space' | 'blackout' | null>(null)
  const [describes, setDescribes] = useState<Photo | null>(null)
  const formId = useId()
  const form = useZodForm<ResourceInput, ResourceForm>(rules, {
    defaultValues: typedOf(data.form) as never,
    basis: { ...data.form },
    toFormValues: (stored) => ({ ...typedOf(stored as ResourceForm) }),
    draft: { name: `rental-resource-editor-${id}` },
  })
  const save = async (values: ResourceForm) => {
    toast((await call(saveResource, { resourceId: id, ...values, basis: form.basis })).message)
    await reloadRentals()
    onClose()
  }
  const mayEdit = data.can.edit
  const stored = {
    closures: <Closures data={data} onAdd={() => setAdds('blackout')} />,
    spaces: (
      <Part
        title={<Trans>Spaces</Trans>}
        add={mayEdit && data.form.kind !== 'equipment' ? t`Add space` : ''}
        onAdd={() => setAdds('space')}
      >
        {data.spaces.map(({ id: space, name, pricePercent, partOf }) => (
          <li key={space}>
            <Text>{name || t`Entire resource`}</Text>
            {partOf && <span className="text-muted"> {t`${pricePercent}% of the price`}</span>}
          </li>
        ))}
      </Part>
    ),
    questions: <Questions id={id} hasQuestions={data.hasQuestions} />,
    photos: <ResourcePhotos resourceId={id} name={data.form.name} onDescribe={setDescribes} />,
  }
  const actions = mayEdit ? <FormButtons {...{ form, id: formId, onClose }} /> : <CloseAction onClose={onClose} />
  return (
    <>
      <SlideOut title={data.form.name} {...{ actions, onClose }} locked={form.formState.isSubmitting}>
        <Waitlist resourceId={id} />
        {mayEdit ? (
          <Form id={formId} form={form} onSubmit={save}>
            <EditorFields form={form} stored={stored} isNew={false} />
          </Form>
        ) : (
          <div className="flex flex-col gap-6">
            <h3 className="text-base">
              <Trans>Resource details</Trans>
            </h3>
            <ResidentPreview form={form} />
            {stored.spaces}
            {stored.closures}
            {stored.questions}
            {stored.photos}
          </div>
        )}
      </SlideOut>
      {adds === 'space' && <AddSpace id={id} onClose={() => setAdds(null)} />}
      {adds === 'blackout' && <AddBlackout id={id} onClose={() => setAdds(null)} />}
      {describes && <DescribePhoto resourceId={id} photo={describes} onClose={() => setDescribes(null)} />}
    </>
  )
}

function Closures({ data, onAdd }: { data: Data; onAdd: () => void }) {
  const { t } = useLingui()
  const { act, busy, refusal } = useAct(reloadRentals)
  return (
    <>
      <Refusal>{refusal}</Refusal>
      <Part title={<Trans>Closures</Trans>} add={data.can.edit ? t`Add closure` : ''} onAdd={onAdd}>
        {data.blackouts.map((one) => (
          <li key={one.id} className="flex items-center justify-between gap-3">
            <span>
              <Text>{formatShortDate(one.from)}</Text> – <Text>{formatShortDate(one.until)}</Text>:{' '}
              <Text>{one.reason}</Text>
            </span>
            {data.can.edit && (
              <Button
                size="small"
                variant="quiet"
                disabled={busy}
                onClick={() => void act(() => call(removeBlackout, { blackoutId: one.id }))}
              >
                <Trans>Remove closure</Trans>
                <span className="sr-only"> {formatShortDate(one.from)}</span>
              </Button>
            )}
          </li>
        ))}
      </Part>
    </>
  )
}

const Questions = ({ id, hasQuestions }: { id: number; hasQuestions: boolean }) => (
  <section>
    <h4 className="mb-2 font-bold text-sm">
      <Trans>Questions and agreement</Trans>
    </h4>
    <p className="mb-2 text-table">
      {hasQuestions ? (
        <Trans>Renters answer your questions and sign the agreement.</Trans>
      ) : (
        <Trans>Renters enter only the purpose, group size and phone number.</Trans>
      )}
    </p>
    <LinkButton size="small" icon={ListChecks} to={`${STAFF_PATH}/${id}/fields`}>
      <Trans>Questions and agreement</Trans>
    </LinkButton>
  </section>
)

interface PartProps {
  title: ReactNode
  add: string
  onAdd: () => void
  children: ReactNode[]
}
const Part = ({ title, add, onAdd, children }: PartProps) => (
  <section>
    <h4 className="mb-2 font-bold text-sm">{title}</h4>
    {children.length > 0 && <ul className="mb-2 flex flex-col gap-1 text-table">{children}</ul>}
    {add && (
      <Button size="small" onClick={onAdd}>
        {add}
      </Button>
    )}
  </section>
)
