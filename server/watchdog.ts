import type { ChildProcess } from 'node:child_process'
import type { RunningJob, Jobs } from './jobs.ts'

/**
 * Interval in milliseconds at which a worker reports its running jobs. A worker with a blocked event loop reports
 * nothing.
 */
const BEAT_MS = 1000

interface Beat {
  running: RunningJob[]
}

export interface Limits {
  /** Time without a report after which a worker counts as blocked, in milliseconds. */
  blockedMs: number
  /** Extra time for an overdue job, in milliseconds. After this time, the watchdog ends the job and its worker. */
  graceMs: number
  /** Interval of the watchdog's checks, in milliseconds. */
  everyMs: number
}
const LIMITS: Limits = { blockedMs: 30_000, graceMs: 60_000, everyMs: BEAT_MS }

/** Reason why a worker stopped, with its running jobs. */
export interface Stop {
  why: 'blocked' | 'overdue' | 'died'
  /** Running jobs of the worker. If `why` is `overdue`, only the overdue jobs. */
  jobs: RunningJob[]
}

/**
 * Starts reporting the running jobs to the parent process. Reports the start of each job before the job runs. Returns a
 * function that stops the reports.
 */
export function reportJobs(jobs: Jobs): () => void {
  const send = (): Promise<void> =>
    new Promise((resolve) => {
      if (!process.connected || !process.send) return resolve()
      const beat: Beat = { running: jobs.running() }
      process.send(beat, undefined, {}, () => resolve())
    })
  jobs.onStart = send
  const timer = setInterval(() => void send(), BEAT_MS)
  return () => clearInterval(timer)
}

/**
 * Watches workers from the parent process. Ends a worker that has a blocked event loop or an overdue job. Calls
 * `onStop` for such a worker and for a worker that died. The parent process then starts another worker.
 * @returns a function to call with each started worker
 */
export function watchWorkers(
  onStop: (stop: Stop) => void,
  { blockedMs, graceMs, everyMs }: Limits = LIMITS,
): (worker: ChildProcess) => void {
  return (worker) => {
    let running: RunningJob[] = []
    let heard = performance.now()
    let isStopped = false
    const stop = (why: Stop['why'], jobs: RunningJob[]) => {
      if (isStopped) return
      isStopped = true
      clearInterval(timer)
      if (why !== 'died') worker.kill('SIGKILL')
      onStop({ why, jobs })
    }
    const timer = setInterval(() => {
      const silentMs = performance.now() - heard
      const overdue = running.filter(({ ms, limitMs }) => ms + silentMs > limitMs + graceMs)
      if (overdue.length > 0) stop('overdue', overdue)
      // A worker that is starting may be silent until it runs its first job.
      else if (running.length > 0 && silentMs > blockedMs) stop('blocked', running)
    }, everyMs)
    timer.unref()
    worker.on('message', (beat: Beat) => {
      running = beat.running
      heard = performance.now()
    })
    worker.once('exit', (code) => {
      clearInterval(timer)
      if (code !== 0) stop('died', running)
    })
  }
}
