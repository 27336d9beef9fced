import { type RawBuilder, sql } from 'kysely'
import type { OfficeArea } from '../shared/areas.ts'
import type { ModuleName } from '../shared/modules.ts'
import { NOT_FOR_US, type SetupState } from '../shared/setup.ts'
import type { Config } from './config.ts'
import { countUpTo } from './db/rows.ts'
import type { Schema } from './db/schema.ts'
import type { Company } from './hosts.ts'
import type { Tx } from './tenancy.ts'

/** Municipality that is set up, with its current day and the stored choice of the step. */
export interface SetupContext {
  company: Company
  config: Config
  /** YYYY-MM-DD in the municipality's time zone. */
  today: string
  choice: string | null
}

/** Person who makes a choice, with the time. */
export interface Chooser {
  company: Company
  name: string
  at: Date
}

/** State of a step, with the facts behind it. */
export interface StepStatus {
  state: Exclude<SetupState, 'not_for_us'>
  detail?: string
  /** Query for the step's screens, such as `add=1` to open a form. */
  query?: string
  /** False if the choices are not possible now. */
  offersChoices?: boolean
}

/** Step of setting up a municipality, which a feature declares in its manifest. */
export interface SetupStep {
  key: string
  title: string
  isRequired: boolean
  /** The step exists only while one of these modules is on. */
  modules?: readonly ModuleName[]
  /** Area that a staff member needs to open the screen. */
  area: OfficeArea
  /** Screen of the municipality, or `?section=` of the settings on both sites. */
  path: string
  /** Screen of the platform, with `{id}` for the municipality. Without it, the platform has no link. */
  platformPath?: string
  /** Choices that complete the step, with the labels of their buttons. */
  choices?: Readonly<Record<string, string>>
  /** Starter pack with ready-made items for the step. */
  pack?: string
  /** Does the work of a choice, before the choice is stored. */
  choose?(tx: Tx, by: Chooser, choice: string): Promise<void>
  /** Computes the state from the data. */
  status(tx: Tx, context: SetupContext): Promise<StepStatus>
}

/** Order of the steps in Get Started. A step that is not listed follows at the end. */
const ORDER: readonly string[] = [
  ...['administrator', 'details', 'look', 'modules', 'tiles', 'staff', 'provider', 'fees', 'accounts', 'addresses'],
  ...['categories', 'forms', 'faqs', 'alerts', 'preview'],
]
const orderOf = ({ key }: SetupStep) => (ORDER.includes(key) ? ORDER.indexOf(key) : ORDER.length)
export const inOrder = (steps: readonly SetupStep[]): SetupStep[] => steps.toSorted((a, b) => orderOf(a) - orderOf(b))

/** Declares a step. The call `muni/return/setup` computes its state. */
export const defineSetupStep = (step: SetupStep): SetupStep => step

interface CountedStep extends Omit<SetupStep, 'status' | 'choices' | 'choose'> {
  table: keyof Schema
  /** Condition for ready rows. All rows are ready if absent. */
  ready?: RawBuilder<unknown>
  needed: number
  /** Describes what an open step lacks. */
  detail: (count: number) => string
}

/** Declares a step that is done as soon as the municipality has a number of ready rows. */
export const defineCountedStep = ({ table, ready = sql`true`, needed, detail, ...step }: CountedStep): SetupStep => ({
  ...step,
  status: async (tx, { company }) => {
    const query = sql`SELECT FROM ${sql.table(table)} WHERE company_id = ${company.id} AND ${ready}`
    const count = await countUpTo(tx, query, needed)
    return count >= needed ? { state: 'done' } : { state: count > 0 ? 'started' : 'to_do', detail: detail(count) }
  },
})

/** Loads the choices of a municipality by step. */
export async function setupChoices(tx: Tx, company: Company): Promise<ReadonlyMap<string, string>> {
  const rows = await tx
    .selectFrom('setup_choice')
    .select(['step', 'choice'])
    .where('company_id', '=', company.id)
    .execute()
  return new Map(rows.map(({ step, choice }) => [step, choice]))
}

/** Stores a choice. Null removes it. */
export async function storeSetupChoice(
  tx: Tx,
  { company, name, at }: Chooser,
  step: string,
  choice: string | null,
): Promise<void> {
  if (choice === null) {
    await tx.deleteFrom('setup_choice').where('company_id', '=', company.id).where('step', '=', step).execute()
    return
  }
  const row = { choice, at, by_name: name }
  await tx
    .insertInto('setup_choice')
    .values({ company_id: company.id, step, ...row })
    .onConflict((on) => on.columns(['company_id', 'step']).doUpdateSet(row))
    .execute()
}

/** True if staff may store this choice for the step. */
export const offersChoice = ({ isRequired, choices = {} }: SetupStep, choice: string): boolean =>
  Object.hasOwn(choices, choice) || (choice === NOT_FOR_US && !isRequired)
