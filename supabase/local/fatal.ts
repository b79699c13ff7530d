// Owns the one error that aborts the whole start. Its message is the sentence shown to the person.
import { codeOf } from "./error-code.ts";

/** A failure that no restart can fix. `message` is one sentence: what is wrong and what to do. */
export class Fatal extends Error {
  override name = "Fatal";
}

export const diskFull = (dir: string): string =>
  `The disk that holds ${dir} is full: free at least 200 MB and start again.`;

/** Says nothing of the folder: on a disk that works again it opens. */
export const diskFailed = (dir: string): string =>
  `The disk that holds ${dir} cannot be read or written (EIO): check the disk and start again.`;

/** The sentence for a file system error below a folder; undefined for any other error. */
export function explainFileError(error: unknown, dir: string): string | undefined {
  switch (codeOf(error)) {
    case "ENOSPC":
    case "EDQUOT":
      return diskFull(dir);
    case "EIO":
      return diskFailed(dir);
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return `The folder ${dir} cannot be written: give this user the right to write it, or set PARLEY_DATA_DIR to another folder.`;
    case "ENOTDIR":
    case "EEXIST":
      return `${dir} is not a folder: move that file away, or set PARLEY_DATA_DIR to another folder.`;
    default:
      return undefined;
  }
}
