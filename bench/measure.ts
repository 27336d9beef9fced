/** What a benchmark prints: ours against the baseline, measured in turns within one run. */
export interface Row {
  what: string
  ours: string
  baseline: string
  /** Ours by the baseline, as a rate or as a time. */
  ratio: number
  /** At least this rate, or at most this time; null where only the growth is of interest. */
  goal: { least: number } | { most: number } | null
}

const ms = (time: number) => `${time.toFixed(time < 10 ? 2 : 0)} ms`

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}

/** The time that this part of all stays under. */
const quantile = (part: number) => (times: readonly number[]) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * part)] ?? Number.NaN
const median = quantile(0.5)
export const p95 = quantile(0.95)

type Workload = (turn: number) => Promise<unknown>

/** Times both in turns, after a first turn that is not counted; medians, so that one pause of the machine says nothing. */
export async function inTurns(turns: number, ours: Workload, baseline: Workload, of = median) {
  const times = { ours: [] as number[], baseline: [] as number[] }
  for (let turn = 0; turn <= turns; turn++) {
    const [a, b] = [await timed(() => ours(turn)), await timed(() => baseline(turn))]
    if (turn === 0) continue
    times.ours.push(a)
    times.baseline.push(b)
  }
  return { ours: of(times.ours), baseline: of(times.baseline) }
}

/** A row of times: smaller is better. */
export const timeRow = (what: string, times: { ours: number; baseline: number }, most: number | null): Row => ({
  what,
  ours: ms(times.ours),
  baseline: ms(times.baseline),
  ratio: times.ours / times.baseline,
  goal: most === null ? null : { most },
})

/** A row of rates, of this many things in a time: larger is better. */
export const rateRow = (
  what: string,
  count: number,
  times: { ours: number; baseline: number },
  least: number | null,
): Row => {
  const rate = (time: number) => `${Math.round((count / time) * 1000).toLocaleString('en-US')}/s`
  return {
    what,
    ours: rate(times.ours),
    baseline: rate(times.baseline),
    ratio: times.baseline / times.ours,
    goal: least === null ? null : { least },
  }
}

/** Watches this process's memory: its peak until a mark, and after it. Flat means that the second is about the first. */
export function watchMemory(): { mark(): void; stop(): string } {
  const peaks = [0]
  const look = () => (peaks[peaks.length - 1] = Math.max(peaks.at(-1) ?? 0, process.memoryUsage().rss))
  const watch = setInterval(look, 20)
  return {
    mark: () => {
      look()
      peaks.push(0)
    },
    stop: () => {
      look()
      clearInterval(watch)
      return `memory at most ${peaks.map((bytes) => Math.round(bytes / 1_000_000)).join(', then ')} MB`
    },
  }
}

const isMet = ({ goal, ratio }: Row): boolean =>
  goal === null || ('least' in goal ? ratio >= goal.least : ratio <= goal.most)

/** The table as Markdown, for the terminal and for docs/measured.md alike. */
export function table(rows: readonly Row[]): string {
  const goalOf = ({ goal }: Row) => (goal === null ? '' : 'least' in goal ? `≥ ${goal.least}` : `≤ ${goal.most}`)
  const lines = rows.map(
    (row) =>
      `| ${row.what} | ${row.ours} | ${row.baseline} | ${row.ratio.toFixed(2)} | ${goalOf(row)} | ${isMet(row) ? '' : 'missed'} |`,
  )
  return ['| what | ours | baseline | ratio | goal | |', '| --- | --- | --- | --- | --- | --- |', ...lines].join('\n')
}
