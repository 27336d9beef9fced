/** Row of a benchmark: our result and the baseline, measured alternately within one run. */
export interface Row {
  what: string
  ours: string
  baseline: string
  /** Our result divided by the baseline, as a rate or as a time. */
  ratio: number
  /**
   * Minimum ratio of rates or maximum ratio of times. Null if the row has no target and only reports the measurement.
   */
  goal: { min: number } | { max: number } | null
}

const ms = (time: number) => `${time.toFixed(time < 10 ? 2 : 0)} ms`

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}

/** Returns a function that computes a quantile of times. `part` is from 0 to 1. */
const quantile = (part: number) => (times: readonly number[]) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * part)] ?? Number.NaN
const median = quantile(0.5)
export const p95 = quantile(0.95)

type Workload = (iteration: number) => Promise<unknown>

/**
 * Measures both workloads alternately. The first iteration is a warm-up and does not count. Uses medians by default, so
 * that one pause of the machine has no effect.
 */
export async function inTurns(iterations: number, ours: Workload, baseline: Workload, of = median) {
  const times = { ours: [] as number[], baseline: [] as number[] }
  for (let iteration = 0; iteration <= iterations; iteration++) {
    const [a, b] = [await timed(() => ours(iteration)), await timed(() => baseline(iteration))]
    if (iteration === 0) continue
    times.ours.push(a)
    times.baseline.push(b)
  }
  return { ours: of(times.ours), baseline: of(times.baseline) }
}

/** Returns a row of times. Smaller is better. */
export const timeRow = (what: string, times: { ours: number; baseline: number }, max: number | null): Row => ({
  what,
  ours: ms(times.ours),
  baseline: ms(times.baseline),
  ratio: times.ours / times.baseline,
  goal: max === null ? null : { max },
})

/** Returns a row of rates: a number of items divided by a time. Larger is better. */
export const rateRow = (
  what: string,
  count: number,
  times: { ours: number; baseline: number },
  min: number | null,
): Row => {
  const rate = (time: number) => `${Math.round((count / time) * 1000).toLocaleString('en-US')}/s`
  return {
    what,
    ours: rate(times.ours),
    baseline: rate(times.baseline),
    ratio: times.baseline / times.ours,
    goal: min === null ? null : { min },
  }
}

/** Records the peak memory of this process before and after a mark. Memory use is constant if both are about equal. */
export function watchMemory(): { mark(): void; stop(): string } {
  const peaks = [0]
  const sampleMemory = () => (peaks[peaks.length - 1] = Math.max(peaks.at(-1) ?? 0, process.memoryUsage().rss))
  const watch = setInterval(sampleMemory, 20)
  return {
    mark: () => {
      sampleMemory()
      peaks.push(0)
    },
    stop: () => {
      sampleMemory()
      clearInterval(watch)
      return `memory at most ${peaks.map((bytes) => Math.round(bytes / 1_000_000)).join(', then ')} MB`
    },
  }
}

const isMet = ({ goal, ratio }: Row): boolean =>
  goal === null || ('min' in goal ? ratio >= goal.min : ratio <= goal.max)

/** Returns the table as Markdown, for the terminal and for docs/measured.md. */
export function table(rows: readonly Row[]): string {
  const goalOf = ({ goal }: Row) => (goal === null ? '' : 'min' in goal ? `≥ ${goal.min}` : `≤ ${goal.max}`)
  const lines = rows.map(
    (row) =>
      `| ${row.what} | ${row.ours} | ${row.baseline} | ${row.ratio.toFixed(2)} | ${goalOf(row)} | ${isMet(row) ? '' : 'missed'} |`,
  )
  return ['| what | ours | baseline | ratio | goal | |', '| --- | --- | --- | --- | --- | --- |', ...lines].join('\n')
}
