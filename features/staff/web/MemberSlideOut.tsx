import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Eye, KeyRound, Lock, LockOpen, Mail, Pencil, Power, PowerOff, ShieldOff } from 'lucide-react'
import { useState } from 'react'
import { useAct } from '../../../web/act.ts'
import { call } from '../../../web/call.ts'
import { shortInstant } from '../../../web/clock.ts'
import { setQuery } from '../../../web/go.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { may } from '../../../web/session.ts'
import { ResponseSlideOut } from '../../../web/ui/ResponseView.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { DetailList } from '../../../web/ui/Card.tsx'
import { ConfirmDialog } from '../../../web/ui/Dialog.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { Refusal } from '../../../web/ui/Notice.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import type { ButtonOf } from '../../../shared/machine.ts'
import { accountStates } from '../../../shared/account-states.ts'
import { ImpersonateDialog } from '../../../web/office/ImpersonateDialog.tsx'
import { reasonForm } from '../../impersonation/contract.ts'
import { openOwn } from '../../impersonation/web/parts/open-own.ts'
import { supportCase } from '../../support/contract.ts'
import { fullName, type MemberDetails, type StaffScope } from './staff-scope.ts'

type StatusStep = ButtonOf<typeof accountStates>
type Question = 'lock' | 'deactivate' | 'resetFactors'

interface Props {
  scope: StaffScope
  id: number
  onClose: () => void
}

/** Slide-out for a staff member, with the available account actions. */
export function MemberSlideOut({ scope, id, onClose }: Props) {
  const about = { ...scope.about, personId: id }
  const response = useResponse(scope.calls.member, about)
  const { data } = response
  const items = useOpenItems(scope, id)
  const [asking, setAsking] = useState<Question | null>(null)
  const [seeing, setSeeing] = useState(false)
  const { act, busy, refusal } = useAct(async () => {
    await Promise.all([reload(scope.calls.list), reload(scope.calls.member), reload(scope.calls.departments)])
    setAsking(null)
  })
  const step = (name: StatusStep) => void act(() => call(scope.calls.changeStatus, { ...about, step: name }))
  return (
    <>
      <ResponseSlideOut
        title={data ? fullName(data.person) : <Trans>Loading</Trans>}
        onClose={onClose}
        response={response}
        loading={<Trans>Loading the account</Trans>}
      >
        {(details) => (
          <>
            <Refusal className="mb-4">{refusal}</Refusal>
            <Account scope={scope} details={details} items={items} />
            <Steps
              details={details}
              busy={busy}
              onStep={(name) => (name === 'lock' || name === 'deactivate' ? setAsking(name) : step(name))}
              onResetFactors={() => setAsking('resetFactors')}
              onInvite={() => void act(() => call(scope.calls.inviteAgain, about))}
              onSeeAs={() => setSeeing(true)}
            />
          </>
        )}
      </ResponseSlideOut>
      {data && seeing && (
        <ImpersonateDialog
          name={fullName(data.person)}
          reason={reasonForm}
          onStart={(reason) => openOwn(id, reason, true)}
          onClose={() => setSeeing(false)}
        >
          <Trans>
            You will see the portal as {fullName(data.person)} for up to 30 minutes. You cannot change anything. Every
            view will be logged under your name.
          </Trans>
        </ImpersonateDialog>
      )}
      {data && asking && (
        <Asking
          question={asking}
          member={data.person}
          items={items ?? 0}
          busy={busy}
          onGo={() =>
            asking === 'resetFactors' ? void act(() => call(scope.calls.resetFactors, about)) : step(asking)
          }
          onClose={() => setAsking(null)}
        />
      )}
    </>
  )
}

/**
 * Loads the number of open support requests assigned to a platform staff member. Null for company staff, or if the
 * viewer may not see requests.
 */
function useOpenItems({ positions }: StaffScope, id: number): number | null {
  const notifies = !positions && may('communication_management', 'view')
  const { data } = useResponse(supportCase.assignees, {}, { enabled: notifies })
  return notifies && data ? (data.people.find((person) => person.id === id)?.open ?? 0) : null
}

interface AccountProps {
  scope: StaffScope
  details: MemberDetails
  items: number | null
}

function Account({ scope, details: { person, invitedUntil }, items }: AccountProps) {
  return (
    <>
      <p className="mb-4">
        <StateBadge of={accountStates} state={person.status} />
      </p>
      <DetailList
        details={[
          [<Trans key="e">Email</Trans>, person.email],
          [<Trans key="r">Role</Trans>, person.role],
          ...(scope.positions
            ? [[<Trans key="p">Position</Trans>, (person.position && scope.positions[person.position]) || '–'] as const]
            : []),
          [<Trans key="d">Department</Trans>, person.department || '–'],
          [
            <Trans key="s">Last sign-in</Trans>,
            person.lastSignIn ? shortInstant(person.lastSignIn) : <Trans key="n">Never</Trans>,
          ],
          [
            <Trans key="v">Privileges</Trans>,
            person.differs === 0 ? (
              <Trans key="u">Default for the role</Trans>
            ) : scope.hasAreas ? (
              <Plural
                key="a"
                value={person.differs}
                one="# area differs from the role"
                other="# areas differ from the role"
              />
            ) : person.differs === 1 ? (
              <Trans key="o">1 sub-module differs from the role defaults</Trans>
            ) : (
              <Trans key="m">{person.differs} sub-modules differ from the role defaults</Trans>
            ),
          ],
          ...(items === null
            ? []
            : [
                [
                  <Trans key="o">Open support requests</Trans>,
                  items === 0 ? (
                    '0'
                  ) : (
                    <Link className="link" to={`/admin/support?assignee=${person.id}`}>
                      {items}
                    </Link>
                  ),
                ] as const,
              ]),
          ...(invitedUntil ? [[<Trans key="i">Invitation expires</Trans>, shortInstant(invitedUntil)] as const] : []),
        ]}
      />
      {scope.loginReport && may('reports', 'view') && (
        <p className="mt-4">
          <Link className="link" to={`${scope.loginReport}?personId=${person.id}`}>
            <Trans>Sign-ins by {fullName(person)}</Trans>
          </Link>
        </p>
      )}
    </>
  )
}

interface StepsProps {
  details: MemberDetails
  busy: boolean
  onStep: (step: StatusStep) => void
  onInvite: () => void
  onResetFactors: () => void
  onSeeAs: () => void
}

function Steps({ details: { person, can, why }, busy, onStep, onInvite, onResetFactors, onSeeAs }: StepsProps) {
  const [submittedStep, setSubmittedStep] = useState<StatusStep | null>(null)
  const submitStep = (name: StatusStep) => {
    setSubmittedStep(name)
    onStep(name)
  }
  const during = (...names: StatusStep[]) =>
    submittedStep && names.includes(submittedStep) ? { busy } : { disabled: busy }
  return (
    <div className="mt-6 flex flex-wrap gap-2 border-line border-t pt-5">
      {can.edit && (
        <Button icon={Pencil} disabled={busy} onClick={() => setQuery({ edit: String(person.id), person: null })}>
          <Trans>Edit</Trans>
        </Button>
      )}
      <Button icon={KeyRound} disabled={busy} onClick={() => setQuery({ privileges: String(person.id), person: null })}>
        <Trans>Privileges</Trans>
      </Button>
      {can.seeAs && (
        <Button icon={Eye} disabled={busy} onClick={onSeeAs}>
          <Trans>See as this person</Trans>
        </Button>
      )}
      {can.inviteAgain && (
        <Button icon={Mail} busy={busy} onClick={onInvite}>
          <Trans>Resend invitation</Trans>
        </Button>
      )}
      {can.resetFactors && (
        <Button icon={ShieldOff} disabled={busy} onClick={onResetFactors}>
          <Trans>Reset two-factor authentication</Trans>
        </Button>
      )}
      {/* Opposite actions, such as lock and unlock, share one button, so that the button keeps the focus when its label changes. */}
      {(can.lock || can.unlock) && (
        <Button
          icon={can.unlock ? LockOpen : Lock}
          {...during('lock', 'unlock')}
          onClick={() => submitStep(can.unlock ? 'unlock' : 'lock')}
        >
          {can.unlock ? <Trans>Unlock</Trans> : <Trans>Lock</Trans>}
        </Button>
      )}
      {(can.activate || can.deactivate) && (
        <Button
          icon={can.activate ? Power : PowerOff}
          {...during('activate', 'deactivate')}
          onClick={() => submitStep(can.activate ? 'activate' : 'deactivate')}
        >
          {can.activate ? <Trans>Activate</Trans> : <Trans>Deactivate</Trans>}
        </Button>
      )}
      {why && <p className="w-full text-muted text-sm">{why}</p>}
    </div>
  )
}

interface AskingProps {
  question: Question
  member: MemberDetails['person']
  /** Number of open support requests assigned to the member. */
  items: number
  busy: boolean
  onGo: () => void
  onClose: () => void
}

function Asking({ question, member, items, busy, onGo, onClose }: AskingProps) {
  const { t } = useLingui()
  const name = fullName(member)
  if (question === 'resetFactors')
    return (
      <ConfirmDialog
        title={t`Reset two-factor authentication for ${name}?`}
        confirmLabel={t`Reset authentication`}
        danger
        busy={busy}
        onConfirm={onGo}
        onClose={onClose}
      >
        <Trans>
          Make sure that {name} really asked for this reset. The authenticator app, recovery codes and passkeys will be
          removed. {name} will be signed out everywhere and notified by email. The password will stay the same.
        </Trans>
      </ConfirmDialog>
    )
  const locks = question === 'lock'
  return (
    <ConfirmDialog
      title={locks ? t`Lock ${name}’s account?` : t`Deactivate ${name}?`}
      confirmLabel={locks ? t`Lock account` : t`Deactivate`}
      danger
      busy={busy}
      onConfirm={onGo}
      onClose={onClose}
    >
      {locks ? (
        <Trans>
          {name} will be signed out everywhere immediately and will not be able to sign in until someone unlocks the
          account. Nothing else will change.
        </Trans>
      ) : (
        <Trans>
          {name} will be signed out everywhere immediately and will no longer be able to sign in. Their assigned work
          will stay assigned to them. You can activate {name}’s account again later.
        </Trans>
      )}
      {!locks && items > 0 && (
        <p className="mt-3">
          <Plural
            value={items}
            one="# open support request is assigned to this person. It stays assigned until someone reassigns it."
            other="# open support requests are assigned to this person. They stay assigned until someone reassigns them."
          />
        </p>
      )}
    </ConfirmDialog>
  )
}
