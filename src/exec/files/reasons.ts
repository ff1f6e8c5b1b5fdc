/** What a failed system call means for a file, in words that a result can hold. */

const reasons: { [code: string]: string } = {
  EACCES: 'there is no permission for it',
  EBUSY: 'it is in use by the system',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'it exists by now',
  EFBIG: 'it would be too large for this disk',
  EIO: 'the disk reports an error',
  EISDIR: 'it is a folder',
  ELOOP: 'it has become a link meanwhile',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'its name is too long',
  ENFILE: 'too many files are open',
  ENOENT: 'its folder is gone',
  ENOSPC: 'there is no room left on the disk',
  ENOTDIR: 'something on the way to it is a file, not a folder',
  ENXIO: 'it is a socket or a device, not a file',
  EPERM: 'the system doesn’t permit it',
  EROFS: 'its disk is read-only',
  ETXTBSY: 'it is a program that is running',
};

/** The reason for the model; an error that isn't one of the system's is a defect and goes on. */
export function reasonOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (typeof code !== 'string' || !/^E[A-Z0-9]+$/.test(code)) throw error;
  return reasons[code] ?? `the system reports ${code}`;
}

export function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
