/** The part of the package that is used; it brings no types of its own. */
declare module 'fs-native-extensions' {
  /** Takes an exclusive lock (`fcntl` with `F_OFD_SETLK`, or the platform's like) on an open file; false where another open file has it. */
  export function tryLock(fd: number): boolean;
}
