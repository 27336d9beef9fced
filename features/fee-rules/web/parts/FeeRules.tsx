import { Trans, useLingui } from '@lingui/react/macro'
import { Calculator, Plus } from 'lucide-react'
import { useState } from 'react'
import { formatShortDate } from '../../../../shared/dates.ts'
import type { RowOf } from '../../../../shared/list.ts'
import { translated } from '../../../../shared/messages.ts'
import { call, messageOf } from '../../../../web/call.ts'
import { setQuery } from '../../../../web/go.ts'
import { ListScreen } from '../../../../web/list/ListScreen.tsx'
import { reload } from '../../../../web/query.ts'
import { useQueryParam } from '../../../../web/routes.tsx'
import { Button } from '../../../../web/ui/Button.tsx'
import { ConfirmDialog } from '../../../../web/ui/Dialog.tsx'
import { EmptyState } from '../../../../web/ui/States.tsx'
import { StatusBadge } from '../../../../web/ui/StatusBadge.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { feeBook, removeFeeRule } from '../../contract.ts'
import { feeRules, methodNames } from '../../list.ts'
import { FeeRuleSlideOut } from '../FeeRuleSlideOut.tsx'
import { FeeCalculator } from '../FeeCalculator.tsx'

type Rule = RowOf<typeof feeRules>

const KINDS = { ahead: 'waiting', in_force: 'good', past: 'undone' } as const
const open = (rule: string | null) => setQuery({ rule })

/** Past, current and future fees by date, as a screen or as a section of the settings. */
export function FeeRules({ level }: { level: 1 | 2 }) {
  const { t } = useLingui()
  const chosen = useQueryParam('rule')
  const [trying, setTrying] = useState(false)
  const [removed, setRemoved] = useState<Rule | null>(null)
  const [busy, setBusy] = useState(false)
  const remove = async ({ id }: Rule) => {
    setBusy(true)
    try {
      toast((await call(removeFeeRule, { ruleId: id })).message)
    } catch (error) {
      toast(messageOf(error), 'danger')
    }
    await Promise.all([reload(feeRules.call), reload(feeBook)])
    setBusy(false)
    setRemoved(null)
  }
  const add = (
    <Button variant="primary" icon={Plus} onClick={() => open('new')}>
      <Trans>Add rule</Trans>
    </Button>
  )
  return (
    <>
      <ListScreen
        of={feeRules}
        level={level}
        // The name includes the scope, because several rules may start on one day.
        rowName={({ paid, method, channel, card, validFrom }) =>
          [
            paid,
            translated((methodNames as Readonly<Record<string, string>>)[method] ?? ''),
            channel,
            card,
            formatShortDate(validFrom),
          ]
            .filter((part) => part !== '' && part !== '–')
            .join(', ')
        }
        headActions={
          <>
            <Button icon={Calculator} onClick={() => setTrying(true)}>
              <Trans>Calculate a fee</Trans>
            </Button>
            {add}
          </>
        }
        onRow={({ id }) => open(String(id))}
        actions={{ view: ({ id }) => open(String(id)), remove: setRemoved }}
        cells={{
          status: ({ status }, label) => <StatusBadge kind={KINDS[status]}>{label}</StatusBadge>,
          against: ({ against }) =>
            against !== '' && <StatusBadge kind="attention">{t`Not allowed by ${against}`}</StatusBadge>,
        }}
        empty={
          <EmptyState title={<Trans>No fee rules yet</Trans>} action={add}>
            <Trans>Without a fee rule, payers pay no fee.</Trans>
          </EmptyState>
        }
      />
      {chosen !== null && chosen !== undefined && chosen !== '' && (
        <FeeRuleSlideOut ruleId={chosen === 'new' ? null : Number(chosen)} onClose={() => open(null)} />
      )}
      {trying && <FeeCalculator onClose={() => setTrying(false)} />}
      {removed && (
        <ConfirmDialog
          title={t`Remove this rule?`}
          confirmLabel={<Trans>Remove rule</Trans>}
          onConfirm={() => void remove(removed)}
          onClose={() => setRemoved(null)}
          danger
          busy={busy}
        >
          <Trans>
            The rule has not started, so no fees were charged under it. The current rule will continue to apply.
          </Trans>
        </ConfirmDialog>
      )}
    </>
  )
}
