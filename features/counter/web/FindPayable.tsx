import { Trans, useLingui } from '@lingui/react/macro'
import { Plus } from 'lucide-react'
import type { Ref } from 'react'
import { FindToPay, type Found } from '../../../web/office/FindToPay.tsx'
import { useAnswer } from '../../../web/query.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { findPayables, LEAST_LETTERS } from '../contract.ts'

interface FindPayableProps {
  chosen: readonly Found[]
  onChoose: (found: Found) => void
  field: Ref<HTMLInputElement>
}

/** Looks for what somebody wants to pay; another screen may have said for what (`?find=`). */
export function FindPayable({ chosen, onChoose, field }: FindPayableProps) {
  const { t } = useLingui()
  return (
    <FindToPay
      asked={useQueryParam('find') ?? ''}
      least={LEAST_LETTERS}
      useFound={(search) => useAnswer(findPayables, { search })}
      button={{
        label: <Trans>Add</Trans>,
        name: ({ label, reference }) => t`Add ${label} ${reference}`,
        icon: Plus,
      }}
      chosen={chosen}
      onChoose={onChoose}
      field={field}
    />
  )
}
