/** Identifies a JSON file with a record. */
export const FILE_FORMAT = 'mainstreet-record'
/** Version of the format. A later version gets a higher number. */
export const FILE_VERSION = 1
/** Maximum length of a file, in characters. The largest forms have about a tenth. */
export const MAX_FILE_LENGTH = 500_000
