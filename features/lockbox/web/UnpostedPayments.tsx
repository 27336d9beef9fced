import { Plural } from '@lingui/react/macro'
import { Landmark } from 'lucide-react'
import { useResponse } from '../../../web/query.ts'
import { LinkButton } from '../../../web/ui/Button.tsx'
import { unpostedPayments } from '../contract.ts'

/** Count of lockbox payments that need review, with a link. Empty if none needs review. */
export default function UnpostedPayments() {
  const unposted = useResponse(unpostedPayments, {}).data?.unposted ?? 0
  if (unposted === 0) return null
  return (
    <LinkButton to="/municipality/manage/bank-payments?state=waiting" icon={Landmark}>
      <Plural value={unposted} one="# lockbox payment needs review" other="# lockbox payments need review" />
    </LinkButton>
  )
}
