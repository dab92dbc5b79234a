/** Which scripts a server runs. */

/** Which scripts may run. */
export interface GroovySettings {
  /** Those in requests. */
  inline: boolean;
  /** Those that are stored in the index of scripts. */
  indexed: boolean;
  /** Texts by the names of their files, without the ending. */
  files: ReadonlyMap<string, string>;
}
