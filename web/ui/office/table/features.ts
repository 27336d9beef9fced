import { columnVisibilityFeature, tableFeatures } from '@tanstack/react-table'

/** The server searches, sorts, filters and pages. The browser only controls visible columns. */
export const features = tableFeatures({ columnVisibilityFeature })
