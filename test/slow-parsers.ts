/** Parsers of `server/parse.test.ts`, which a thread imports. */

/** Uses the processor until the thread ends. */
export function loop(): never {
  for (;;);
}

/** Waits for `ms` milliseconds without the processor, like a thread on a busy machine. */
export function pause(ms: number): string {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
  return 'read'
}
