import * as z from 'zod/mini'
import { currentSession } from '../session.ts'
import type { Command } from './commands.ts'

/**
 * Entries that the person opened last in this tab, newest first. They may name residents, so that they end with the
 * session of the tab, as drafts do.
 */
const MAX_RECENT = 8
const stored = z.array(z.object({ title: z.string(), detail: z.string(), path: z.string() }))

const keyOf = () => `draft:recent-commands:${currentSession()?.userId ?? 'guest'}`

export function recentCommands(): Command[] {
  try {
    const { data = [] } = stored.safeParse(JSON.parse(sessionStorage.getItem(keyOf()) ?? '[]'))
    return data.map((command) => ({ ...command, id: `recent:${command.path}` }))
  } catch {
    return []
  }
}

export function rememberCommand({ title, detail, path }: Command): void {
  if (path === undefined) return
  const others = recentCommands().filter((command) => command.path !== path)
  const list = [{ title, detail, path }, ...others].slice(0, MAX_RECENT)
  try {
    sessionStorage.setItem(keyOf(), JSON.stringify(list))
  } catch {
    // The browser blocks storage, so the list stays empty.
  }
}
