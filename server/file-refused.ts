/** Error for a file that cannot be read. The message is one sentence for the person who sent the file. */
export class FileRefused extends Error {}
