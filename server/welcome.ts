import { type Config, originOf } from './config.ts'

/** Prints a line for the operator during startup. */
export const printLine = (line: string): void => console.log(line)

/** Accounts of the demo, as in the README: host, email, role. */
const ACCOUNTS = [
  ['admin', 'super@mainstreet.example', 'platform super administrator'],
  ['admin', 'callcenter@mainstreet.example', 'platform call center'],
  ['maplegrove', 'admin@maplegrove.example', 'municipality administrator'],
  ['maplegrove', 'manager@maplegrove.example', 'municipality manager'],
  ['maplegrove', 'staff@maplegrove.example', 'municipality staff'],
  ['maplegrove', 'resident@maplegrove.example', 'resident with history'],
  ['maplegrove', 'newcomer@maplegrove.example', 'resident with nothing yet'],
  ['harborcity', 'admin@harborcity.example', 'municipality administrator'],
  ['harborcity', 'resident@harborcity.example', 'resident'],
] as const

/** Prints the portal's URL. In the demo, also prints the demo accounts. */
export function printWelcome(config: Config): void {
  printLine(`\nMainstreet is ready: ${config.publicUrl}`)
  if (!config.demo) return
  const hosts = [
    ['maplegrove', 'Maple Grove, every module'],
    ['harborcity', 'Harbor City, half of the modules'],
    ['oldmill', 'Old Mill, offline'],
    ['admin', 'the platform’s administrators'],
  ] as const
  for (const [host, what] of hosts) printLine(`  ${originOf(config, host).padEnd(36)} ${what}`)
  printLine('\nDemo accounts, all with the password Maple-Grove#2026:')
  for (const [host, email, role] of ACCOUNTS) printLine(`  ${email.padEnd(36)} ${host.padEnd(11)} ${role}`)
  printLine('\nA guest finds a bill in Maple Grove with account number 100001 and ZIP 17011.\nPress Ctrl-C to stop.\n')
}
