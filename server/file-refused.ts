/** Error for an unreadable file. The message is one sentence for the person who sent it. */
export class FileRefused extends Error {}
