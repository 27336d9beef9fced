import { QueryClient, useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { ResponseOf, RequestInputOf, Endpoint } from '../shared/endpoint.ts'
import { same } from '../shared/edits.ts'
import { call, CallError, refuseUnasked } from './call.ts'

/**
 * The page's cache of answers. It is passed by hand instead of through a provider, so that screens which need no
 * queries don't load the library.
 */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // A refusal stays a refusal, and what was too slow is; what may have been the line is tried once more.
      retry: (failures, error) =>
        failures < 1 &&
        (!(error instanceof CallError) || error.status === 0 || (error.status >= 502 && error.code !== 'too_slow')),
      refetchOnWindowFocus: false,
    },
  },
})

/** The key of a call's answer, for `queries.invalidateQueries({ queryKey: keyOf(endpoint) })`. */
export const keyOf = (endpoint: Endpoint, body?: unknown): readonly unknown[] =>
  body === undefined ? [endpoint.path] : [endpoint.path, body]

/**
 * Shows the previous answer until the next one arrives, if both belong to the same view. An answer to another view
 * may lack what this view needs.
 */
export const keepPreviousOf =
  (viewKey: readonly unknown[]) =>
  <Data>(previous: Data | undefined, query: { queryKey: readonly unknown[] } | undefined): Data | undefined =>
    query && same(query.queryKey.slice(0, viewKey.length), viewKey) ? previous : undefined

interface Options<Answer> {
  enabled?: boolean
  /** After so many milliseconds it is asked for again; as the answer says, where that tells whether more is to come. */
  refetchInterval?: number | false | ((answer: Answer | undefined) => number | false)
  /** Until its answer is there, that of the body before is shown: of what it is has to stand in it, since the page asks for other things by then. */
  keepPrevious?: boolean
  /** So many milliseconds it counts as fresh, and stays once nobody shows it. */
  staleTime?: number
  gcTime?: number
}

/** Asks the server, unless the person lacks the right. */
async function ask<E extends Endpoint>(
  endpoint: E,
  body: RequestInputOf<E>,
  signal: AbortSignal,
): Promise<ResponseOf<E>> {
  await refuseUnasked(endpoint)
  return call(endpoint as Endpoint, body as never, { signal }) as Promise<ResponseOf<E>>
}

/** Loads what a call answers and keeps it: `{ data, error, isPending, refetch }`. */
export function useAnswer<E extends Endpoint>(
  endpoint: E,
  body: RequestInputOf<E>,
  { keepPrevious = false, refetchInterval = false, ...options }: Options<ResponseOf<E>> = {},
): UseQueryResult<ResponseOf<E>, Error> {
  return useQuery(
    {
      queryKey: keyOf(endpoint, body),
      queryFn: ({ signal }) => ask(endpoint, body, signal),
      ...(keepPrevious && { placeholderData: keepPreviousOf([endpoint.path]) }),
      refetchInterval:
        typeof refetchInterval === 'function' ? ({ state }) => refetchInterval(state.data) : refetchInterval,
      ...options,
    },
    queries,
  )
}

/** Asks for an answer before the part that shows it is on the screen. It never fails: the part says what is wrong. */
export const preload = <E extends Endpoint>(endpoint: E, body: RequestInputOf<E>): Promise<void> =>
  queries.prefetchQuery({
    queryKey: keyOf(endpoint, body),
    queryFn: ({ signal }) => ask(endpoint, body, signal),
  })

/** Forgets what a call answered, so that open screens load it anew. */
export const reload = (endpoint: Endpoint): Promise<void> => queries.invalidateQueries({ queryKey: keyOf(endpoint) })
