import { dateIn } from '../../../shared/dates.ts'
import { areas } from '../../../shared/areas.ts'
import { say, translated } from '../../../shared/messages.ts'
import { may } from '../../../shared/privileges.ts'
import { NOT_FOR_US, type SetupState } from '../../../shared/setup.ts'
import { type Call, callerName, implement, signedIn } from '../../../server/call.ts'
import { conflict, malformed, notAllowed } from '../../../server/errors.ts'
import { isOn } from '../../../server/modules.ts'
import { offersChoice, setupChoices, type SetupStep, type StepStatus, storeSetupChoice } from '../../../server/setup.ts'
import { setupRunOf } from '../../../server/setup-runs.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { endPreviews } from '../../resident-preview/api.ts'
import { goOffline, goOnline, returnSetup, saveSetupChoice, type SetupStepView } from '../contract-setup.ts'
import type { ConfigOf } from '../rules.ts'
import { forgetCompany, lockCompany, saveSection } from './save-section.ts'
import { stored } from './stored.ts'

/** Choice that hides the card on Home. */
const CARD = 'card'
const HIDDEN = 'hidden'

/** Returns the steps of the municipality, with the modules that are on. */
const stepsOf = ({ context, company }: Call): SetupStep[] =>
  context.setup.filter(({ modules }) => !modules || modules.some((module) => isOn(company, module)))

function pathOf(call: Call, { path, platformPath, area }: SetupStep, query = ''): string | null {
  const { kind, privileges } = signedIn(call)
  const isPlatform = kind === 'platform'
  const settings = isPlatform ? `/admin/${call.company.id}/company/information` : '/municipality/manage/settings'
  if (path.startsWith('?')) return settings + path
  const more = query && `?${query}`
  if (isPlatform)
    return platformPath === undefined ? null : platformPath.replace('{id}', String(call.company.id)) + more
  return may(privileges, area, 'view') ? path + more : null
}

/** Returns the path of the starter packs, with the packs that the screen selects. */
function packsPathOf(call: Call, packs: readonly string[]): string | null {
  if (packs.length === 0 || !may(signedIn(call).privileges, 'settings', 'update')) return null
  const isPlatform = signedIn(call).kind === 'platform'
  const path = isPlatform ? `/admin/${call.company.id}/company/starter-packs` : '/municipality/manage/starter-packs'
  return `${path}?select=${packs.join(',')}`
}

/** Computes the states of all steps. */
async function viewsOf(tx: Tx, call: Call, chosen: ReadonlyMap<string, string>): Promise<SetupStepView[]> {
  const { company, context } = call
  const today = dateIn(company.timeZone, context.clock.now())
  const views: SetupStepView[] = []
  // Runs the queries in sequence, because a transaction runs one query at a time.
  for (const step of stepsOf(call)) {
    const choice = chosen.get(step.key) ?? null
    const status: Omit<StepStatus, 'state'> & { state: SetupState } =
      choice === NOT_FOR_US
        ? { state: NOT_FOR_US }
        : await step.status(tx, { company, config: context.config, today, choice })
    const { state, detail = '', query, offersChoices = true } = status
    views.push({
      ...{ key: step.key, title: translated(step.title), isRequired: step.isRequired, state, detail },
      path: pathOf(call, step, query),
      packsPath: null,
      choices: Object.entries(offersChoices ? (step.choices ?? {}) : {}).map(([key, label]) => ({
        key,
        label: translated(label),
      })),
      chosen: choice,
    })
  }
  // The link of each step also selects the packs of the other open required steps.
  const packs = new Map(stepsOf(call).flatMap(({ key, pack }) => (pack === undefined ? [] : [[key, pack] as const])))
  const required = views.filter((view) => view.isRequired && !isComplete(view)).map(({ key }) => key)
  return views.map((view) => {
    const pack = packs.get(view.key)
    if (pack === undefined || isComplete(view)) return view
    const selected = new Set([pack, ...required.flatMap((key) => packs.get(key) ?? [])])
    return { ...view, packsPath: packsPathOf(call, [...selected]) }
  })
}

const weightOf = ({ isRequired }: SetupStepView): number => (isRequired ? 2 : 1)
const isComplete = ({ state }: SetupStepView): boolean => state === 'done' || state === NOT_FOR_US
const total = (views: readonly SetupStepView[]): number => views.reduce((sum, view) => sum + weightOf(view), 0)

const returnSetupCall = implement(returnSetup, (call) =>
  call.reading(async (tx) => {
    const chosen = await setupChoices(tx, call.company)
    const steps = await viewsOf(tx, call, chosen)
    const { online_reserved: reserved } = await tx
      .selectFrom('company')
      .select('online_reserved')
      .where('id', '=', call.company.id)
      .executeTakeFirstOrThrow()
    const { kind, privileges } = signedIn(call)
    const isReserved = reserved === 1
    return {
      steps,
      percent: Math.floor((100 * total(steps.filter(isComplete))) / total(steps)),
      isOnline: call.company.isOnline,
      isHidden: chosen.get(CARD) === HIDDEN,
      mayGoOnline: may(privileges, 'settings', 'delete') && (kind === 'platform' || !isReserved),
      isReserved,
    }
  }),
)

const saveChoiceCall = implement(saveSetupChoice, async (call) => {
  const { step: key, choice } = call.body
  const step = call.context.setup.find((one) => one.key === key)
  const isOffered =
    key === CARD ? choice === null || choice === HIDDEN : step && (choice === null || offersChoice(step, choice))
  if (!isOffered) throw malformed('This choice is not available. Reload the page.')
  const { kind, privileges } = signedIn(call)
  // A choice replaces work on the step's screen, so it needs the same area.
  if (step && kind === 'municipality' && !may(privileges, step.area, 'update'))
    throw notAllowed(say`To choose this, you need the area “${translated(areas[step.area].label)}”.`)
  const run = choice === null ? undefined : setupRunOf(key)
  if (run) return { success: true as const, message: await run(call) }
  return call.inCompany(async (tx) => {
    const chooser = { company: call.company, name: callerName(call), at: call.context.clock.now() }
    if (choice !== null && choice !== NOT_FOR_US) await step?.choose?.(tx, chooser, choice)
    await storeSetupChoice(tx, chooser, key, choice)
    await call.audit(tx, {
      action: 'company.setup_choice',
      subject: { kind: 'settings', id: key },
      detail: { choice },
    })
    return { success: true as const, message: 'Saved.' }
  })
})

/**
 * Saves the online status.
 * @throws 403 if only the platform may change it
 */
async function saveOnline(call: Call, change: Partial<ConfigOf<'details'>>): Promise<void> {
  const { context, company } = call
  await context.acrossCompanies(async (tx) => {
    await lockCompany(tx, company.id)
    const details = await stored.details.read(tx, company.id)
    if (signedIn(call).kind !== 'platform' && details.online_reserved === 1)
      throw notAllowed('Only Mainstreet can turn this portal online or offline. Send a support request.')
    const value = { ...details, ...change }
    await saveSection(tx, context, call, company.id, { section: 'details', value, origin: 'go_online' })
  })
  forgetCompany(context)
}

const goOnlineCall = implement(goOnline, async (call) => {
  const open = (await call.reading(async (tx) => viewsOf(tx, call, await setupChoices(tx, call.company)))).filter(
    (view) => view.isRequired && !isComplete(view),
  )
  if (open.length > 0)
    throw conflict('setup_open', say`To go online, complete these steps: ${open.map(({ title }) => title).join(', ')}.`)
  await saveOnline(call, { is_online: 1 })
  // The records of previews must not stay among those of residents.
  await endPreviews(call)
  return { success: true as const, message: say`${call.company.name} is online.` }
})

const goOfflineCall = implement(goOffline, async (call) => {
  await saveOnline(call, { is_online: 0, offline_msg: call.body.message })
  return { success: true as const, message: say`${call.company.name} is offline.` }
})

export const setupCalls = [returnSetupCall, saveChoiceCall, goOnlineCall, goOfflineCall]
