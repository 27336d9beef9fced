import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { CircleCheck, CircleDashed, CircleDotDashed, CircleSlash, Clock, type LucideIcon } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { setupStates, NOT_FOR_US, type SetupState } from '../../../../shared/setup.ts'
import { translated } from '../../../../shared/messages.ts'
import { type Act, useAct } from '../../../../web/act.ts'
import { call } from '../../../../web/call.ts'
import { setOnline } from '../../../../web/online-status.ts'
import { reload, useResponse } from '../../../../web/query.ts'
import { useReturn } from '../../../../web/use-return.ts'
import { may } from '../../../../web/session.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { cx } from '../../../../web/ui/cx.ts'
import { FormDialog } from '../../../../web/ui/FormDialog.tsx'
import { useZodForm } from '../../../../web/ui/form.ts'
import { Link } from '../../../../web/ui/Link.tsx'
import { Refusal } from '../../../../web/ui/Notice.tsx'
import { TextArea } from '../../../../web/ui/TextField.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { returnConfig } from '../../contract.ts'
import {
  goOffline,
  goOnline,
  offlineForm,
  returnSetup,
  saveSetupChoice,
  type SetupStepView,
} from '../../contract-setup.ts'

const icons: Record<SetupState, LucideIcon> = {
  to_do: CircleDashed,
  started: CircleDotDashed,
  waiting: Clock,
  done: CircleCheck,
  not_for_us: CircleSlash,
}
const colors: Record<SetupState, string> = {
  to_do: 'text-warning',
  started: 'text-info',
  waiting: 'text-info',
  done: 'text-success',
  not_for_us: 'text-muted',
}

interface GetStartedProps {
  companyId: number
  /** Home shows the card until the portal is online and complete, or staff hide it. The settings always have it until then. */
  isOnHome?: boolean
}

/** Steps of setting up a municipality with their states, and the buttons that turn the portal online and offline. */
export function GetStarted({ companyId, isOnHome = false }: GetStartedProps) {
  const id = useId()
  // Each visit to Home loads the states again, because the steps are completed on other screens and in other windows.
  const { data } = useResponse(returnSetup, { companyId }, isOnHome ? { staleTime: 0 } : {})
  useReturn(true, () => reload(returnSetup))
  const { act, busy, refusal } = useAct(() => Promise.all([reload(returnSetup), reload(returnConfig)]))
  const [isClosing, setClosing] = useState(false)
  if (!data) return null
  const { steps, percent, isOnline, isHidden, mayGoOnline, isReserved } = data
  const isComplete = isOnline && percent === 100
  if (isOnHome ? isComplete || isHidden : isComplete && !mayGoOnline) return null
  const open = steps.filter(({ isRequired, state }) => isRequired && state !== 'done')
  const choose = (step: string, choice: string | null) => act(() => call(saveSetupChoice, { companyId, step, choice }))
  // The buttons are above the steps as soon as the portal can go online.
  const isReady = !isOnline && open.length === 0
  const buttons = (
    <div className={cx('mt-4 flex flex-wrap items-center gap-3', !isReady && 'border-line border-t pt-4')}>
      {isOnline && mayGoOnline && (
        <Button onClick={() => setClosing(true)} disabled={busy}>
          <Trans>Take offline</Trans>
        </Button>
      )}
      {!isOnline && mayGoOnline && (
        <Button
          variant="primary"
          busy={busy}
          disabled={open.length > 0}
          onClick={() => void act(() => call(goOnline, { companyId }).then(online))}
        >
          <Trans>Go online</Trans>
        </Button>
      )}
      {isOnHome && may('settings', 'update') && (
        <Button variant="quiet" disabled={busy} onClick={() => void choose('card', 'hidden')}>
          <Trans>Hide on Home</Trans>
        </Button>
      )}
      <GoOnlineHint {...{ isOnline, isReserved: isReserved && !mayGoOnline, open }} />
    </div>
  )
  return (
    <section
      aria-labelledby={id}
      className="mb-6 rounded-sm border border-line border-s-4 border-s-info bg-surface px-4 py-4"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 id={id} className="text-h3">
          <Trans>Get Started</Trans>
        </h2>
        <p className="font-bold text-sm">
          <Trans>{percent}% complete</Trans>
        </p>
      </div>
      <progress
        value={percent}
        max={100}
        aria-labelledby={id}
        className="mt-2 block h-2.5 w-full appearance-none overflow-hidden rounded-sm border border-edge bg-surface [&::-moz-progress-bar]:bg-success [&::-webkit-progress-bar]:bg-surface [&::-webkit-progress-value]:bg-success"
      />
      {isReady && buttons}
      {!isComplete && (
        <div className="mt-4 grid gap-x-8 gap-y-4 lg:grid-cols-2">
          <Steps
            title={<Trans>Required</Trans>}
            steps={steps.filter(({ isRequired }) => isRequired)}
            {...{ busy, choose }}
          />
          <Steps
            title={<Trans>Recommended</Trans>}
            steps={steps.filter(({ isRequired }) => !isRequired)}
            {...{ busy, choose }}
          />
        </div>
      )}
      {!isReady && buttons}
      <Refusal>{refusal}</Refusal>
      {isClosing && <OfflineDialog companyId={companyId} onClose={() => setClosing(false)} />}
    </section>
  )
}

/** Shows in the head of the back office that the portal is online. */
function online<T>(done: T): T {
  setOnline(true)
  return done
}

interface HintProps {
  isOnline: boolean
  isReserved: boolean
  open: readonly SetupStepView[]
}

/** Names the open steps, or who turns the portal online. */
function GoOnlineHint({ isOnline, isReserved, open }: HintProps) {
  if (isOnline)
    return (
      <p className="text-muted text-sm">
        <Trans>The portal is online. You can complete the other steps at any time.</Trans>
      </p>
    )
  if (open.length > 0)
    return (
      <p className="text-sm">
        <Plural
          value={open.length}
          one="To go online, complete # more required step."
          other="To go online, complete # more required steps."
        />
      </p>
    )
  return (
    <p className="text-muted text-sm">
      {isReserved ? (
        <Trans>Everything is ready. Mainstreet turns the portal online. Send a support request.</Trans>
      ) : (
        <Trans>Everything is ready. Until you go online, residents see the offline message.</Trans>
      )}
    </p>
  )
}

interface StepsProps {
  title: ReactNode
  steps: readonly SetupStepView[]
  busy: boolean
  choose: (step: string, choice: string | null) => ReturnType<Act>
}

function Steps({ title, steps, busy, choose }: StepsProps) {
  const id = useId()
  return (
    <div>
      <h3 id={id} className="mb-1 text-base">
        {title}
      </h3>
      <ul aria-labelledby={id} className="flex flex-col">
        {steps.map((step) => (
          <Step key={step.key} step={step} busy={busy} choose={choose} />
        ))}
      </ul>
    </div>
  )
}

function Step({ step, busy, choose }: Pick<StepsProps, 'busy' | 'choose'> & { step: SetupStepView }) {
  const { t } = useLingui()
  const { key, title, state, detail, path, packsPath, choices, chosen, isRequired } = step
  const Icon = icons[state]
  const mayChoose = may('settings', 'update')
  const isOpen = state !== 'done' && state !== NOT_FOR_US
  return (
    <li className="flex items-start gap-3 border-line border-t py-2 first:border-t-0">
      <Icon size={20} aria-hidden className={cx('mt-1 shrink-0', colors[state])} />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-3">
          {path === null ? (
            <span className="font-bold">{title}</span>
          ) : (
            <Link className="link font-bold" to={path}>
              {title}
            </Link>
          )}
          <span className={cx('text-sm', colors[state])}>{translated(setupStates[state])}</span>
        </p>
        {detail !== '' && <p className="text-muted text-sm">{detail}</p>}
        {isOpen && packsPath !== null && (
          <p className="text-sm">
            <Link className="link" to={packsPath} aria-label={t`Add ready-made items: ${title}`}>
              <Trans>Add ready-made items</Trans>
            </Link>
          </p>
        )}
        {mayChoose && (
          <div className="mt-1 flex flex-wrap gap-2 empty:hidden">
            {isOpen &&
              choices.map((choice) => (
                <Button key={choice.key} size="small" disabled={busy} onClick={() => void choose(key, choice.key)}>
                  {choice.label}
                </Button>
              ))}
            {isOpen && !isRequired && (
              <Button
                size="small"
                variant="quiet"
                className="first:-ms-3"
                disabled={busy}
                aria-label={t`Not for us: ${title}`}
                onClick={() => void choose(key, NOT_FOR_US)}
              >
                <Trans>Not for us</Trans>
              </Button>
            )}
            {!isOpen && chosen !== null && (
              <Button
                size="small"
                variant="quiet"
                className="first:-ms-3"
                disabled={busy}
                aria-label={t`Undo: ${title}`}
                onClick={() => void choose(key, null)}
              >
                <Trans>Undo</Trans>
              </Button>
            )}
          </div>
        )}
      </div>
    </li>
  )
}

function OfflineDialog({ companyId, onClose }: { companyId: number; onClose: () => void }) {
  const { t } = useLingui()
  const form = useZodForm(offlineForm, { defaultValues: { message: '' } })
  return (
    <FormDialog
      title={<Trans>Take the portal offline?</Trans>}
      form={form}
      danger
      submit={<Trans>Take offline</Trans>}
      onSubmit={async (values) => {
        toast((await call(goOffline, { ...values, companyId })).message)
        setOnline(false)
        await Promise.all([reload(returnSetup), reload(returnConfig)])
      }}
      onClose={onClose}
    >
      <TextArea
        label={t`Message to residents`}
        hint={t`Enter the reason and when the portal will be back online. Residents see this message instead of the pages.`}
        rows={3}
        {...form.field('message')}
      />
    </FormDialog>
  )
}
