/** A startup error that the operator can fix. Printed as one line, without a stack. */
export class StartError extends Error {}

/**
 * Returns the reason of a file system or network error in short form, such as "EACCES: permission denied". Omits the
 * system call and the paths.
 */
export function reasonOf(error: unknown): string {
  const message =
    error instanceof Error
      ? error.message || String((error as NodeJS.ErrnoException).code ?? error.name)
      : String(error)
  return (message.split('\n')[0] ?? '').replace(/^([A-Z]+: [^,]+),.*$/, '$1')
}
