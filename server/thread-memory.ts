import type { Worker } from 'node:worker_threads'

/** An idle thread above it ends, because its memory stays with the process. In bytes. */
const MAX_IDLE_BYTES = 96 * 1024 ** 2

/** True if the thread may stay for the next request. False if it is large or has ended. */
export const mayStay = (thread: Worker): Promise<boolean> =>
  thread.getHeapStatistics().then(
    ({ total_heap_size, external_memory }) => total_heap_size + external_memory < MAX_IDLE_BYTES,
    () => false,
  )
