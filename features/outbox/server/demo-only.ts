import { notFound } from '../../../server/errors.ts'
import type { AppContext } from '../../../server/app-context.ts'

/**
 * Refuses the call outside the demo, because real emails are private.
 * @throws 404 outside the demo
 */
export function inDemoAlone({ config }: AppContext): void {
  if (!config.demo) throw notFound('The outbox is available only in the demo.')
}
