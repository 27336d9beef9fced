import { Trans, useLingui } from '@lingui/react/macro'
import type * as z from 'zod/mini'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { call } from '../../../../web/call.ts'
import { reload, useResponse } from '../../../../web/query.ts'
import { FormSlideOut } from '../../../../web/ui/FormSlideOut.tsx'
import { useZodForm } from '../../../../web/ui/form.ts'
import { SettingsOf } from '../../../../web/ui/SettingsOf.tsx'
import { TextArea } from '../../../../web/ui/TextField.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { faqSynonyms, saveFaqSynonyms, synonymsForm } from '../../contract-staff.ts'

interface Props {
  onClose: () => void
}

/** Words that residents use with the same meaning. */
export function SynonymsPanel({ onClose }: Props) {
  const response = useResponse(faqSynonyms, {})
  return (
    <SettingsOf response={response} title={<Trans>Synonyms</Trans>} onClose={onClose}>
      {(loaded) => <Edit data={loaded} onClose={onClose} />}
    </SettingsOf>
  )
}

type SynonymsForm = z.output<typeof synonymsForm>

function Edit({ data: { groups, can }, onClose }: Props & { data: ResponseOf<typeof faqSynonyms> }) {
  const { t } = useLingui()
  const form = useZodForm<SynonymsForm, SynonymsForm>(synonymsForm, {
    defaultValues: { groups },
    basis: { groups },
    draft: { name: 'faq-synonyms' },
  })
  const lines = form.choice('groups')
  const invalidIndex = lines.value.findIndex((_, at) => form.field(`groups.${at}`).error)
  const error =
    lines.error ??
    (invalidIndex < 0 ? undefined : t`Line ${invalidIndex + 1}: ${form.field(`groups.${invalidIndex}`).error ?? ''}`)
  const save = async (values: SynonymsForm) => {
    toast((await call(saveFaqSynonyms, { ...values, basis: form.basis })).message)
    await reload(faqSynonyms)
    onClose()
  }
  return (
    <FormSlideOut
      title={<Trans>Synonyms</Trans>}
      form={form}
      mayEdit={can.edit}
      onSubmit={async ({ groups: typed }) => save({ groups: typed })}
      onClose={onClose}
    >
      <TextArea
        label={t`Groups of synonyms`}
        hint={t`Enter one group of synonyms per line, with spaces between the words, for example “couch sofa settee”. A search for one of these words also finds the others.`}
        rows={18}
        value={lines.value.join('\n')}
        error={error}
        readOnly={!can.edit}
        name="groups"
        onChange={({ target }) => lines.onChange(target.value === '' ? [] : target.value.split('\n'))}
      />
    </FormSlideOut>
  )
}
