import { call } from '../../../../web/call.ts'
import { SignInRules } from '../../../../web/office/SignInRules.tsx'
import { reload, useAnswer } from '../../../../web/query.ts'
import { saveSignInRules, signInRules } from '../../../factors/contract.ts'

/** Whether a town's staff needs a second factor. */
export function TownSignInRules({ town, onClose }: { town: { id: number; name: string }; onClose: () => void }) {
  const answer = useAnswer(signInRules, { companyId: town.id })
  const save = async (requireSecondFactor: boolean) => {
    const saved = await call(saveSignInRules, { companyId: town.id, requireSecondFactor })
    await reload(signInRules)
    return saved
  }
  return <SignInRules name={town.name} answer={answer} save={save} onClose={onClose} />
}
