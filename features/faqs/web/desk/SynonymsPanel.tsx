import { Trans, useLingui } from '@lingui/react/macro'
import type * as z from 'zod/mini'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { call } from '../../../../web/call.ts'
import { reload, useResponse } from '../../../../web/query.ts'
import { FormSlideOut } from '../../../../web/ui/FormSlideOut.tsx'
import { useZodForm } from '../../../../web/ui/form.ts'
import { SettingsOf } from '../../../../web/ui/SettingsOf.tsx'
import { TextRows } from '../../../../web/ui/TextRows.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { faqSynonyms, MAX_SYNONYMS, saveFaqSynonyms, synonymsForm } from '../../contract-staff.ts'

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
      <TextRows
        label={t`Words with the same meaning`}
        hint={t`Enter the words of one meaning in one row, for example “couch sofa settee”. A search for one of these words also finds the others.`}
        addLabel={t`Add words`}
        max={MAX_SYNONYMS}
        readOnly={!can.edit}
        errorAt={(at) => form.field(`groups.${at}`).error}
        {...form.choice('groups')}
      />
    </FormSlideOut>
  )
}
