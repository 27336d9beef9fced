import { columnVisibilityFeature, tableFeatures } from '@tanstack/react-table'

/** Features of the table in the browser: only visible columns. The server searches, sorts, filters and pages. */
export const features = tableFeatures({ columnVisibilityFeature })
