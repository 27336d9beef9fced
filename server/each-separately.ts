import type { AppContext } from './app-context.ts'

/**
 * Processes items one after the other, and continues if an item fails. At the end, the job fails with the first error,
 * so that the queue retries the job.
 * @throws the first error
 */
export async function eachSeparately<Item extends { company_id: number }>(
  context: Pick<AppContext, 'log'>,
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const errors: unknown[] = []
  for (const item of items)
    try {
      await work(item)
    } catch (error) {
      context.log.error({ err: error, company: item.company_id }, 'one item of a job failed, the others go on')
      errors.push(error)
    }
  if (errors.length > 0) throw errors[0]
}
