/** Error for an unreadable file. Its message is one sentence for the sender of the file. */
export class FileRefused extends Error {}
