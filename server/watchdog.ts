import type { ChildProcess } from 'node:child_process'
import type { RunningJob, Jobs } from './jobs.ts'

/**
 * Interval of a worker's reports on its running jobs, in milliseconds. A worker with a blocked event loop reports
 * nothing.
 */
const BEAT_MS = 1000

interface Beat {
  running: RunningJob[]
}

export interface Limits {
  /** Silence after which a worker counts as blocked, in milliseconds. */
  blockedMs: number
  /** Time beyond its limit after which the watchdog ends a job and its worker, in milliseconds. */
  graceMs: number
  /** Interval of the watchdog's checks, in milliseconds. */
  everyMs: number
}
const LIMITS: Limits = { blockedMs: 30_000, graceMs: 60_000, everyMs: BEAT_MS }

/** Reason and running jobs of a stopped worker. */
export interface Stop {
  why: 'blocked' | 'overdue' | 'died'
  /** Only the overdue job, if one job exceeded its time. */
  jobs: RunningJob[]
}

/** Reports the running jobs to the parent process. A job starts only after its start was reported. */
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
 * Watches workers from another process. It ends a worker with a blocked event loop or an overdue job, and notices one
 * that died. The parent process starts another.
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
      // A starting worker may be silent until it runs its first job.
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
