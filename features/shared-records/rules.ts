/** Identifies a JSON file with a record. */
export const FILE_FORMAT = 'mainstreet-record'
/** Version of the format. A later version gets a higher number. */
export const FILE_VERSION = 1
/** Maximum length of a file, in characters. The largest forms have about a tenth. */
export const MAX_FILE_LENGTH = 500_000

/** Permission that each kind of records needs. */
export const recordNeeds = {
  form: ['forms', 'create'],
  'rental-resource': ['rentals', 'create'],
  'request-category': ['requests', 'update'],
  'inspection-template': ['inspections', 'delete'],
  'maintenance-plan': ['work_orders', 'update'],
} as const

/** Screen with the records of each kind. It is closed while the kind's module is off. */
export const recordScreens = {
  form: '/municipality/manage/manage-forms-and-docs',
  'rental-resource': '/municipality/manage/manage-resource-rentals',
  'request-category': '/municipality/manage/customer-communication/categories',
  'inspection-template': '/municipality/inspections',
  'maintenance-plan': '/municipality/work-orders',
} as const
