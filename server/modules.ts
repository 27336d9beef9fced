import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { screenAt, screens } from '../shared/all-screens.ts'
import type { BootModuleOff } from '../shared/boot.ts'
import type { Endpoint } from '../shared/endpoint.ts'
import type { AreaName } from '../shared/privileges.ts'
import { belongsTo, type ModuleName, modules, staysOpen } from '../shared/modules.ts'
import type { AppContext } from './app-context.ts'
import { moduleOff } from './errors.ts'
import type { Company } from './hosts.ts'

/** True if the municipality has turned the module on. */
export const isOn = (company: Pick<Company, 'off'>, module: ModuleName): boolean => !company.off.includes(module)

/**
 * Refuses a call of a module that is off, unless the call stays available.
 * @throws 404 `module_off`
 */
export function refuseModuleOff(company: Company | null, module: ModuleName | undefined, endpoint?: Endpoint): void {
  if (!company || !module || isOn(company, module)) return
  if (!endpoint || !staysOpen(module, endpoint)) throw moduleOff(modules[module].label)
}

const areasOf = (name: ModuleName): readonly AreaName[] => modules[name].areas

/** True if the area belongs to no module that is off. Imports and starter packs add nothing to the others. */
export const isAreaOn = ({ off }: Pick<Company, 'off'>, area: AreaName): boolean =>
  !off.some((name) => areasOf(name).includes(area))

const finishing = (name: ModuleName): readonly string[] => modules[name].finish

/** Returns the modules that are off, with their screens. A page needs them, so that it shows no link to a closed screen. */
export const modulesOff = ({ off }: Pick<Company, 'off'>): BootModuleOff[] =>
  off.map((name) => {
    const paths = screens.map(({ path }) => path).filter((path) => belongsTo(name, path))
    const stays = (path: string) => finishing(name).includes(path)
    return {
      name: modules[name].label,
      closed: paths.filter((path) => !stays(path)),
      finishing: paths.filter(stays),
    }
  })

const screenPath = (path: string): string => screenAt(path.replace(/[?#].*$/, ''))?.path ?? path

/** True if the screen at this path belongs to no module that is off. Tiles, lists and search results link only to these screens. */
export const isOffered = ({ off }: Pick<Company, 'off'>, path: string): boolean =>
  !off.some((name) => belongsTo(name, screenPath(path)))

/** True if the screen at this path is closed, because its module is off. */
export function isClosed(company: Pick<Company, 'off'>, path: string): boolean {
  const screen = screenPath(path)
  return company.off.some((name) => belongsTo(name, screen) && !finishing(name).includes(screen))
}

/** SQL condition for rows of municipalities in which the module is on. Jobs use it. `column` has the company's id. */
export const whereOn = (module: ModuleName, column = 'company_id') =>
  sql<boolean>`NOT EXISTS (
    SELECT FROM company off WHERE off.id = ${sql.ref(column)} AND ${modules[module].url} = ANY (off.modules_off))`

/** Mounts the routes of a feature so that they are closed while the feature's module is off. */
export function mountInModule(
  app: FastifyInstance,
  context: AppContext,
  module: ModuleName,
  routes: (app: FastifyInstance, context: AppContext) => void,
): void {
  void app.register(async (scope) => {
    scope.addHook('onRequest', async ({ headers }) => {
      const host = await context.hosts.resolve(headers.host)
      if (host.kind === 'company') refuseModuleOff(host.company, module)
    })
    routes(scope, context)
  })
}
