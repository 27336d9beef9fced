import { notFound } from '../../../server/errors.ts'
import type { AppContext } from '../../../server/app-context.ts'

/** Where people really live, their mail is nobody else's. @throws 404 outside of the demo */
export function inDemoAlone({ config }: AppContext): void {
  if (!config.demo) throw notFound('There is an outbox to read in the demo alone.')
}
