import { threadId } from 'node:worker_threads'
/** Parsers for `server/parse.test.ts`, which a worker thread imports. */

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

/** Allocates this much memory permanently, and returns the id of its thread. */
export function hold(megabytes: number): number {
  buffers.push(new Uint8Array(megabytes * 1024 ** 2).fill(1))
  return threadId
}
