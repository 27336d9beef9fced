/** Start of the path of each call. A separate file, because every page needs it before any contract. */
export const CALL_PREFIX = '/api/v2/'
