/**
 * Converts a title to a URL slug: `Dog license (2027)` becomes `dog-license-2027`. Empty if the title has no letters or
 * digits.
 */
export const addressOf = (title: string): string =>
  title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replaceAll(/^-|-$/g, '')
