import type { FastifyReply, FastifyRequest } from 'fastify'

export const faultKinds = ['timeout-before', 'timeout-after', '500'] as const
export type FaultKind = (typeof faultKinds)[number]

interface Fault {
  fault: FaultKind
  /** A part of the path it is for; every path without one. */
  path: string
  count: number
}

/** Faults that a test planted: silence before or after the work, or an error instead of it. */
export function openFaults(holdMs: number) {
  const planted: Fault[] = []

  function next(url: string): FaultKind | null {
    const fault = planted.find((candidate) => candidate.count > 0 && url.includes(candidate.path))
    if (!fault) return null
    fault.count--
    return fault.fault
  }

  /** Keeps the caller waiting without an answer, until they leave or the time is over; then drops the line. */
  function hold(request: FastifyRequest, reply: FastifyReply): void {
    reply.hijack()
    const drop = () => request.raw.socket.destroy()
    const timer = setTimeout(drop, holdMs)
    timer.unref()
    // A request closes as soon as it was read; who left is seen on the line itself.
    request.raw.socket.once('close', () => clearTimeout(timer))
  }

  return {
    plant: (fault: Fault) => void planted.push(fault),
    clear: () => void planted.splice(0),
    next,
    hold,
  }
}
export type Faults = ReturnType<typeof openFaults>
