import type { ChildProcess } from 'node:child_process'
import type { RunningJob, Jobs } from './jobs.ts'

/** How often a worker says which jobs it runs. A worker whose event loop is blocked says nothing. */
const BEAT_MS = 1000

interface Beat {
  running: RunningJob[]
}

export interface Limits {
  /** Silence after which a worker counts as blocked. */
  blockedMs: number
  /** Time beyond its own limit after which a job that still runs is ended, with its worker. */
  graceMs: number
  /** How often the watchdog looks. */
  everyMs: number
}
const LIMITS: Limits = { blockedMs: 30_000, graceMs: 60_000, everyMs: BEAT_MS }

/** Why a worker ended, and what it ran at that moment. */
export interface Stop {
  why: 'blocked' | 'overdue' | 'died'
  /** If one job exceeded its time, that job only. */
  jobs: RunningJob[]
}

/** Tells the process above of the jobs that run here. A job waits until its start was told. */
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
 * Watches workers from another process. It ends one whose event loop is blocked, or that runs a job beyond its time, and hears
 * of one that died. The process above starts another one.
 * @returns what to call with each worker that is started
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
      // A worker that starts may take its time. It says nothing before it works.
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
