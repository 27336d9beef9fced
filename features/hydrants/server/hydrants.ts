import type { Selectable } from 'kysely'
import type { EventOf } from '../../../shared/machine.ts'
import type { LocationValue } from '../../../shared/places.ts'
import { say } from '../../../shared/messages.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { rowFinderById } from '../../../server/db/rows.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { notFound } from '../../../server/errors.ts'
import type { Company } from '../../../server/hosts.ts'
import { notify } from '../../../server/notices/notify.ts'
import { resolveLocation } from '../../../server/places/at-point.ts'
import { type LockedEntity, defineStateStore, type Transition } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { HydrantForm } from '../contract.ts'
import { hydrantStates } from '../states.ts'
import { serviceNotice, type ServiceNoticeData } from './emails.ts'
import { settingsOf } from './settings.ts'
import { locationFromRow, locationColumns } from '../../../server/places/stored-location.ts'

export type Hydrant = Selectable<Schema['hydrant']>

/**
 * Functions that find a hydrant. `lockHydrant` also locks its row until the transaction ends.
 * @throws 404 if the hydrant does not exist
 */
export const { find: findHydrant, lock: lockHydrant } = rowFinderById('hydrant', () =>
  notFound('This hydrant was not found.'),
)

interface LockedHydrant extends LockedEntity<Hydrant['service']> {
  hydrant: Hydrant
}

/** Other columns that a state transition updates. */
interface HydrantPatch {
  next_inspection_on: string | null
}

type HydrantEvent = EventOf<typeof hydrantStates>
type HydrantTransition = Transition<Hydrant['service'], HydrantEvent, LockedHydrant, HydrantPatch>
interface HydrantDeps {
  context: AppContext
  company: Company
}

/** Returns the side effect of an event: it emails the fire department and returns a message for the caller. */
const notifyOf =
  (event: ServiceNoticeData['event']) =>
  async (tx: Tx, { locked, reason }: HydrantTransition, { context, company }: HydrantDeps): Promise<string> => {
    const { fireEmails } = await settingsOf(tx, company.id)
    const { id, number, location } = locked.hydrant
    for (const to of fireEmails)
      await notify(tx, context, {
        at: company,
        to,
        notice: serviceNotice,
        data: { id, number, location, reason, event },
      })
    return fireEmails.length > 0
      ? say`The fire department was notified.`
      : say`No one was notified. Enter a fire department email in the settings.`
  }

export const hydrantStateStore = defineStateStore<
  Hydrant['service'],
  HydrantEvent,
  LockedHydrant,
  HydrantPatch,
  HydrantDeps
>({
  machine: hydrantStates,
  subject: 'hydrant',
  lock: async (tx, scope, id): Promise<LockedHydrant> => {
    const hydrant = await lockHydrant(tx, scope, id)
    return { id, state: hydrant.service, name: say`Hydrant ${hydrant.number}`, number: hydrant.number, hydrant }
  },
  write: (tx, { scope, locked, to, at, reason, patch }) =>
    tx
      .updateTable('hydrant')
      .set({ service: to, service_since: at, service_reason: reason, ...patch })
      .where('company_id', '=', scope)
      .where('id', '=', locked.id)
      .execute(),
  effects: {
    take_out: notifyOf('take_out'),
    return_to_service: notifyOf('return_to_service'),
    retire: notifyOf('retire'),
    restore: notifyOf('restore'),
  },
})

const textOf = (number: number | null): string => (number === null ? '' : String(number))

/** Looks up a location and converts it to columns of a row. */
export async function resolveLocationColumns(tx: Tx, company: CompanyId, input: LocationValue) {
  return locationColumns(await resolveLocation(tx, company, input))
}

export const formOf = (row: Hydrant): HydrantForm => ({
  number: row.number,
  make: row.make,
  model: row.model,
  madeYear: textOf(row.made_year),
  sizeInches: textOf(row.size_inches),
  mainInches: textOf(row.main_inches),
  location: locationFromRow(row),
  lastInspectedOn: row.last_inspected_on ?? '',
  nextInspectionOn: row.next_inspection_on ?? '',
  notes: row.notes,
})
