import { QueryClient, useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { ResponseOf, RequestInputOf, Endpoint } from '../shared/endpoint.ts'
import { same } from '../shared/edits.ts'
import { call, CallError, refuseIfNotPermitted } from './call.ts'
import { page } from './page.ts'
import { currentSession } from './session.ts'

/**
 * Cache of responses for the whole page. It is passed as an argument instead of by a provider, so that screens without
 * queries do not load the library.
 */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // Refusals and timeouts are final. Possible connection errors are retried once.
      retry: (failures, error) =>
        failures < 1 &&
        (!(error instanceof CallError) || error.status === 0 || (error.status >= 502 && error.code !== 'too_slow')),
      refetchOnWindowFocus: false,
    },
  },
})

/** Fills the cache with the responses that the server loaded for a visitor without a session. */
export function fillQueries(updatedAt?: number): void {
  for (const { path, body, response } of page().responses)
    queries.setQueryData([path, body], response, updatedAt === undefined ? {} : { updatedAt })
}

// The responses are as old as the page.
if (globalThis.document && currentSession() === null) fillQueries(performance.timeOrigin)

// Back shows a page as it was when the person left it. Its data may have changed since.
globalThis.window?.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) void queries.invalidateQueries()
})

/** Returns the key of a call's response, for `queries.invalidateQueries({ queryKey: keyOf(endpoint) })`. */
export const keyOf = (endpoint: Endpoint, body?: unknown): readonly unknown[] =>
  body === undefined ? [endpoint.path] : [endpoint.path, body]

/**
 * Returns a function that keeps the previous response visible until the next one arrives. Both must belong to the same
 * view, because a response for another view may lack data that this view needs.
 */
export const keepPreviousOf =
  (viewKey: readonly unknown[]) =>
  <Data>(previous: Data | undefined, query: { queryKey: readonly unknown[] } | undefined): Data | undefined =>
    query && same(query.queryKey.slice(0, viewKey.length), viewKey) ? previous : undefined

interface Options<Data> {
  enabled?: boolean
  /** Refetch interval in milliseconds, or a function that returns it depending on the response. */
  refetchInterval?: number | false | ((response: Data | undefined) => number | false)
  /**
   * True to keep showing the previous response while a request with a new body loads. The response must identify its
   * record, because the page may already request another record.
   */
  keepPrevious?: boolean
  /** Times in milliseconds: until a response counts as stale, and until an unused response leaves the cache. */
  staleTime?: number
  gcTime?: number
}

/** Sends the request, unless the person lacks the privilege. */
async function loadQuery<E extends Endpoint>(
  endpoint: E,
  body: RequestInputOf<E>,
  signal: AbortSignal,
): Promise<ResponseOf<E>> {
  await refuseIfNotPermitted(endpoint)
  return call(endpoint as Endpoint, body as never, { signal }) as Promise<ResponseOf<E>>
}

/** Loads and caches the response of a call: `{ data, error, isPending, refetch }`. */
export function useResponse<E extends Endpoint>(
  endpoint: E,
  body: RequestInputOf<E>,
  { keepPrevious = false, refetchInterval = false, ...options }: Options<ResponseOf<E>> = {},
): UseQueryResult<ResponseOf<E>, Error> {
  return useQuery(
    {
      queryKey: keyOf(endpoint, body),
      queryFn: ({ signal }) => loadQuery(endpoint, body, signal),
      ...(keepPrevious && { placeholderData: keepPreviousOf([endpoint.path]) }),
      refetchInterval:
        typeof refetchInterval === 'function' ? ({ state }) => refetchInterval(state.data) : refetchInterval,
      ...options,
    },
    queries,
  )
}

/**
 * Loads a response before the part of the page that needs it is shown. Never fails, because that part shows the error.
 */
export const preload = <E extends Endpoint>(endpoint: E, body: RequestInputOf<E>): Promise<void> =>
  queries.prefetchQuery({
    queryKey: keyOf(endpoint, body),
    queryFn: ({ signal }) => loadQuery(endpoint, body, signal),
  })

/** Invalidates a call's responses, so that open screens reload them. */
export const reload = (endpoint: Endpoint): Promise<void> => queries.invalidateQueries({ queryKey: keyOf(endpoint) })
