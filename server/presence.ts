/** Time after which a person counts as gone if their screen has sent nothing. Screens send every 15 seconds. */
export const PRESENCE_MS = 40_000

/** Staff member with a record open on a screen. Only other staff see it, and nothing is stored. */
export interface Presence {
  topic: string
  companyId: number
  id: number
  /** Id of the person, and of the screen, because a person may have several. */
  person: number
  screen: string
  name: string
  state: 'viewing' | 'writing' | 'gone'
  /** Milliseconds since 1970. */
  at: number
}

/** Staff with open records. Each portal process has this list in memory, from the notifications of all processes. */
export class Presences {
  readonly #all = new Map<string, Presence & { company: number }>()

  hear(company: number, presence: Presence): void {
    const { topic, companyId, id, person, screen, state, at } = presence
    const key = [company, topic, companyId, id, person, screen].join('/')
    if (state === 'gone') this.#all.delete(key)
    else this.#all.set(key, { ...presence, company })
    this.#forget(at)
  }

  /** Lists the people who have records of this kind open, except the caller. A person who writes is listed so. */
  of(company: number, topic: string, { now, except }: { now: number; except: number }): Presence[] {
    this.#forget(now)
    const people = new Map<string, Presence>()
    for (const presence of this.#all.values()) {
      if (presence.company !== company || presence.topic !== topic || presence.person === except) continue
      const key = `${presence.companyId}/${presence.id}/${presence.person}`
      if (presence.state === 'writing' || !people.has(key)) people.set(key, presence)
    }
    return [...people.values()]
  }

  #forget(now: number): void {
    for (const [key, { at }] of this.#all) if (now - at > PRESENCE_MS) this.#all.delete(key)
  }
}
