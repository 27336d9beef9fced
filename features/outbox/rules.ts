/** What became of a mail. */
export const deliveries = { waiting: 'Waiting', sent: 'Sent', failed: 'Failed' } as const
