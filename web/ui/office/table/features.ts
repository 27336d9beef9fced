import { columnVisibilityFeature, tableFeatures } from '@tanstack/react-table'

/**
 * Features of the table library that the browser uses: only visible columns. The server searches, sorts, filters and
 * pages.
 */
export const features = tableFeatures({ columnVisibilityFeature })
