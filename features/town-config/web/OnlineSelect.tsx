import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Select } from '../../../web/ui/Choice.tsx'
import { ConfirmDialog } from '../../../web/ui/Dialog.tsx'
import type { Bound } from '../../../web/ui/form.ts'

interface OnlineSelectProps {
  field: Omit<Bound<unknown>, 'onChange'> & { onChange: (value: never) => void }
  /**
   * Company name for the confirmation. Null if the company is offline or new, because no confirmation is then needed.
   */
  closing: string | null
}

/** Select for the online status. Asks for confirmation before it takes the company offline. */
export function OnlineSelect({ field: { value, onChange, ...field }, closing }: OnlineSelectProps) {
  const { t } = useLingui()
  const [isConfirming, setIsConfirming] = useState(false)
  const choose = onChange as (value: number | '') => void
  const stay = () => {
    choose(1)
    setIsConfirming(false)
  }
  return (
    <>
      <Select
        label={t`Is Online`}
        hint={t`Residents see the municipality's pages only while it is online.`}
        placeholder={t`Choose one`}
        options={[
          { value: 1, label: t`Yes` },
          { value: 0, label: t`No` },
        ]}
        {...field}
        value={value === 0 || value === 1 ? value : ''}
        onChange={({ target }) => {
          choose(target.value === '' ? '' : Number(target.value))
          setIsConfirming(closing !== null && target.value === '0')
        }}
      />
      {isConfirming && (
        <ConfirmDialog
          title={<Trans>Take {closing} offline?</Trans>}
          confirmLabel={<Trans>Take municipality offline</Trans>}
          cancelLabel={<Trans>Keep municipality online</Trans>}
          danger
          onConfirm={() => setIsConfirming(false)}
          onClose={stay}
        >
          <Trans>
            After you save, residents will no longer be able to see their bills, pay or sign in. They will see a message
            that the municipality is offline. Staff can continue to work.
          </Trans>
        </ConfirmDialog>
      )}
    </>
  )
}
