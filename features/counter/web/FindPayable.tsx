import { Trans, useLingui } from '@lingui/react/macro'
import { Plus } from 'lucide-react'
import type { Ref } from 'react'
import { FindToPay, type PayableMatch } from '../../../web/office/FindToPay.tsx'
import { useResponse } from '../../../web/query.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { findPayables, MIN_LENGTH } from '../contract.ts'

interface FindPayableProps {
  chosen: readonly PayableMatch[]
  onChoose: (match: PayableMatch) => void
  field: Ref<HTMLInputElement>
}

/** Search field for items to pay. Other screens can pass the search text in the URL (`?find=`). */
export function FindPayable({ chosen, onChoose, field }: FindPayableProps) {
  const { t } = useLingui()
  return (
    <FindToPay
      initialSearch={useQueryParam('find') ?? ''}
      minLength={MIN_LENGTH}
      useSearch={(search) => useResponse(findPayables, { search })}
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
