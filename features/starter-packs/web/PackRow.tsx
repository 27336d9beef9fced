import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { setQuery } from '../../../web/go.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Checkbox } from '../../../web/ui/Choice.tsx'
import { StatusBadge } from '../../../web/ui/StatusBadge.tsx'
import { Text } from '../../../web/ui/Text.tsx'
import type { addStarterPack, starterPacks } from '../contract.ts'

export type Packs = ResponseOf<typeof starterPacks>['packs']
type PackSummary = Packs[number]

export type Added = Pick<ResponseOf<typeof addStarterPack>, 'added' | 'drafts' | 'existing' | 'departments'>
export type Outcome = Added | { error: string }

interface PackRowProps {
  pack: PackSummary
  checked: boolean
  disabled: boolean
  outcome: Outcome | undefined
  onChange: (checked: boolean) => void
}

/** Row of one starter pack, with its checkbox, its counts and its preview. */
export function PackRow({ pack: { pack, label, added, count, needs, isBilingual, hasNewer }, ...row }: PackRowProps) {
  const { t } = useLingui()
  const { checked, disabled, outcome, onChange } = row
  const isComplete = added === count
  return (
    <li className="flex flex-wrap items-start gap-x-6 gap-y-2 border-line border-b py-3">
      <div className="min-w-60 flex-1">
        <Checkbox
          label={<strong>{label}</strong>}
          name={pack}
          checked={checked}
          disabled={disabled || isComplete || needs !== ''}
          onChange={({ target }) => onChange(target.checked)}
          hint={needs === '' ? undefined : t`Needs the level “Manage” in ${needs}`}
          error={outcome && 'error' in outcome ? outcome.error : undefined}
        />
        {isBilingual && (
          <p className="mt-1 ms-8 text-muted text-sm">
            <Trans>In English and Spanish</Trans>
          </p>
        )}
        {outcome && 'added' in outcome && (
          <p className="mt-1 ms-8 text-muted text-sm">
            <OutcomeText outcome={outcome} />
          </p>
        )}
      </div>
      <div className="flex items-center gap-4">
        {isComplete ? (
          <StatusBadge kind="good">
            <Trans>All {count} added</Trans>
          </StatusBadge>
        ) : (
          <span className="text-muted text-sm tabular-nums">
            <Trans>
              {added} of {count} added
            </Trans>
          </span>
        )}
        {hasNewer && needs === '' && (
          <Button size="small" aria-label={t`Newer texts of ${label}`} onClick={() => setQuery({ newer: pack })}>
            <Trans>Newer texts</Trans>
          </Button>
        )}
        <Button size="small" aria-label={t`Preview ${label}`} onClick={() => setQuery({ pack })}>
          <Trans>Preview</Trans>
        </Button>
      </div>
    </li>
  )
}

function OutcomeText({
  outcome: { added, drafts, existing, departments },
}: {
  outcome: Exclude<Outcome, { error: string }>
}) {
  return (
    <>
      <Plural value={added} one="# item added." other="# items added." />
      {departments > 0 && (
        <Text>
          {' '}
          <Plural value={departments} one="# department added." other="# departments added." />
        </Text>
      )}
      {drafts > 0 && (
        <Text>
          {' '}
          <Plural value={drafts} one="# item is a draft." other="# items are drafts." />
        </Text>
      )}
      {existing > 0 && (
        <Text>
          {' '}
          <Plural value={existing} one="You already had # item." other="You already had # items." />
        </Text>
      )}
    </>
  )
}
