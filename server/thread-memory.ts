import type { Worker } from 'node:worker_threads'

/**
 * Maximum memory of an idle thread, in bytes. A thread that uses more is ended, because its memory would otherwise
 * never be freed.
 */
const MAX_IDLE_BYTES = 96 * 1024 ** 2

/** True if the thread may stay for the next request. False if it uses too much memory or has ended. */
export const mayStay = (thread: Worker): Promise<boolean> =>
  thread.getHeapStatistics().then(
    ({ total_heap_size, external_memory }) => total_heap_size + external_memory < MAX_IDLE_BYTES,
    () => false,
  )
