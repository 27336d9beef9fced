import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '../../Button.tsx'
import { Dialog } from '../../Dialog.tsx'

/** Dialog with the keys of a list. */
export default function KeyHelp({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const keys = [
    ['J, ↓', t`Next row`],
    ['K, ↑', t`Previous row`],
    [t`Enter`, t`Open the record`],
    [t`Space`, t`Show all fields`],
    ['X', t`Select the row`],
    [t`Shift and J, K or an arrow`, t`Extend the selection`],
    [t`Esc`, t`Close the fields or the record`],
    ['/', t`Search`],
    ['?', t`Show this help`],
  ] as const
  return (
    <Dialog title={t`Keys of lists`} onClose={onClose} actions={<Button onClick={onClose}>{t`Close`}</Button>}>
      <dl className="grid grid-cols-[fit-content(50%)_1fr] gap-x-6 gap-y-1">
        {keys.map(([key, effect]) => (
          <div key={key} className="col-span-2 grid grid-cols-subgrid">
            <dt className="font-bold">{key}</dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 text-muted text-sm">
        <Trans>The keys act while the focus is in a list. You can turn single letters off in My Profile.</Trans>
      </p>
    </Dialog>
  )
}
