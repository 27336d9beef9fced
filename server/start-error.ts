/** A reason not to start that whoever starts the portal can mend: printed as one line, without a stack. */
export class StartError extends Error {}

/** The short reason in a file system's or network's error: "EACCES: permission denied" without the call and its paths. */
export function reasonOf(error: unknown): string {
  const message =
    error instanceof Error
      ? error.message || String((error as NodeJS.ErrnoException).code ?? error.name)
      : String(error)
  return (message.split('\n')[0] ?? '').replace(/^([A-Z]+: [^,]+),.*$/, '$1')
}
