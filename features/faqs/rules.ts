/** Statuses of an FAQ for staff. They show whether residents see the FAQ today. */
export const standings = {
  visible: 'Shown',
  planned: 'Planned',
  ended: 'Ended',
  draft: 'Draft',
} as const
