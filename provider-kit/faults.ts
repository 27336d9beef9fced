import type { FastifyReply, FastifyRequest } from 'fastify'

export const faultKinds = ['timeout-before', 'timeout-after', '500'] as const
export type FaultKind = (typeof faultKinds)[number]

interface Fault {
  fault: FaultKind
  /** Text that the paths of the failing calls contain. Empty if all calls fail. */
  path: string
  count: number
}

/**
 * Stores the faults that a test plants: a timeout before the work, a timeout after the work, or an error instead of the
 * work.
 */
export function openFaults(holdMs: number) {
  const planted: Fault[] = []

  function next(url: string): FaultKind | null {
    const fault = planted.find((candidate) => candidate.count > 0 && url.includes(candidate.path))
    if (!fault) return null
    fault.count--
    return fault.fault
  }

  /**
   * Leaves the request without a response until the caller disconnects or the time limit passes. Then closes the
   * connection.
   */
  function hold(request: FastifyRequest, reply: FastifyReply): void {
    reply.hijack()
    const drop = () => request.raw.socket.destroy()
    const timer = setTimeout(drop, holdMs)
    timer.unref()
    // A request emits `close` as soon as it has been read, so only the socket shows that the caller disconnected.
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
