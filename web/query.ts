import { QueryClient, useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { ResponseOf, RequestInputOf, Endpoint } from '../shared/endpoint.ts'
import { same } from '../shared/edits.ts'
import { call, CallError, refuseUnasked } from './call.ts'

/**
 * The page's cache of answers. It is passed as an argument instead of a provider, so that screens without queries do
 * not load the library.
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

/** Returns the key of a call's answer, for `queries.invalidateQueries({ queryKey: keyOf(endpoint) })`. */
export const keyOf = (endpoint: Endpoint, body?: unknown): readonly unknown[] =>
  body === undefined ? [endpoint.path] : [endpoint.path, body]

/**
 * Shows the previous answer until the next one arrives, if both belong to the same view. An answer to another view may
 * lack what this view needs.
 */
export const keepPreviousOf =
  (viewKey: readonly unknown[]) =>
  <Data>(previous: Data | undefined, query: { queryKey: readonly unknown[] } | undefined): Data | undefined =>
    query && same(query.queryKey.slice(0, viewKey.length), viewKey) ? previous : undefined

interface Options<Data> {
  enabled?: boolean
  /** Refetch interval in milliseconds, or a function that decides by the answer. */
  refetchInterval?: number | false | ((response: Data | undefined) => number | false)
  /**
   * True to show the previous body's answer while loading. The answer must name its record, since the page already asks
   * for another one.
   */
  keepPrevious?: boolean
  /** Time that the answer counts as fresh, and time that an unused answer stays in the cache, in milliseconds. */
  staleTime?: number
  gcTime?: number
}

/** Asks the server, unless the person lacks the privilege. */
async function loadQuery<E extends Endpoint>(
  endpoint: E,
  body: RequestInputOf<E>,
  signal: AbortSignal,
): Promise<ResponseOf<E>> {
  await refuseUnasked(endpoint)
  return call(endpoint as Endpoint, body as never, { signal }) as Promise<ResponseOf<E>>
}

/** Loads and caches the answer of a call: `{ data, error, isPending, refetch }`. */
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

/** Loads an answer before its part is shown. Never fails, because the part shows the error. */
export const preload = <E extends Endpoint>(endpoint: E, body: RequestInputOf<E>): Promise<void> =>
  queries.prefetchQuery({
    queryKey: keyOf(endpoint, body),
    queryFn: ({ signal }) => loadQuery(endpoint, body, signal),
  })

/** Invalidates a call's answers, so that open screens reload them. */
export const reload = (endpoint: Endpoint): Promise<void> => queries.invalidateQueries({ queryKey: keyOf(endpoint) })
