import { columnVisibilityFeature, tableFeatures } from '@tanstack/react-table'

/** Search, sort, filters and paging are the server's; what the browser keeps is which columns are on show. */
export const features = tableFeatures({ columnVisibilityFeature })
