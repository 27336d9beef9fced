import type { Worker } from 'node:worker_threads'

/**
 * Maximum memory of an idle thread, in bytes. A larger thread ends, because the process would never free its memory.
 */
const MAX_IDLE_BYTES = 96 * 1024 ** 2

/** True if the pool may keep the thread for the next request. False if the thread is large or has ended. */
export const mayStay = (thread: Worker): Promise<boolean> =>
  thread.getHeapStatistics().then(
    ({ total_heap_size, external_memory }) => total_heap_size + external_memory < MAX_IDLE_BYTES,
    () => false,
  )
