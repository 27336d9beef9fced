/** State that the browser keeps with a history entry. It survives a reload. */
export interface EntryState {
  key?: string
  /** Response to a sent form (`useSent`). */
  sent?: { name: string; owner: string; response: unknown }
  /** Step of each form (`useStepHistory`). A form within a step of another form comes after it. */
  steps?: readonly (readonly [form: string, step: unknown])[]
}

/** Returns the state of the current history entry. It is empty on the server. */
export const entryState = (): EntryState => (globalThis.history?.state as EntryState | null) ?? {}

/** Returns the state of a new history entry, with a random key, for `pushState`. */
export const newEntry = (): EntryState => ({ key: Math.random().toString(36).slice(2) })
