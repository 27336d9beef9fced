import { threadId } from 'node:worker_threads'
/** Parsers of `server/parse.test.ts`, which a thread imports. */

/** Keeps the CPU busy until the thread ends. */
export function loop(): never {
  for (;;);
}

/** Waits for `ms` milliseconds without using the CPU, like a thread on a busy machine. */
export function pause(ms: number): string {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
  return 'read'
}

const buffers: unknown[] = []

/** Keeps this much memory allocated and returns the number of its thread. */
export function hold(megabytes: number): number {
  buffers.push(new Uint8Array(megabytes * 1024 ** 2).fill(1))
  return threadId
}
