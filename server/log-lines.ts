type LogFields = Record<string, string | number | null | undefined>

const LEVELS: Record<number, string> = { 10: 'trace', 20: 'debug', 30: '', 40: 'warning', 50: 'error', 60: 'fatal' }

/** Formats a JSON log line for a terminal. */
export function readable(line: string): string {
  const { level, time, msg, ...fields } = JSON.parse(line) as { level: number; time: string; msg?: string } & LogFields
  const at = time.slice(11, 19)
  if (msg === 'request') return `${at} ${requestLine(fields)}\n`
  const rest = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return `${[at, LEVELS[level], msg, ...rest].filter(Boolean).join(' ')}\n`
}

function requestLine({ method, route, status, ms, company, user, impersonator }: LogFields): string {
  const caller = [company && `town ${company}`, user && `user ${user}`, impersonator && `by ${impersonator}`].filter(
    Boolean,
  )
  return [`${status} ${method} ${route} ${ms} ms`, ...caller].join(' · ')
}
