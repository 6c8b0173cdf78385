import type { Run } from '../run.ts';
import type { Bounds, Unread } from './regular-file.ts';

/** A name in a folder. A link to a folder is a link; one to anything else is a file. */
export interface Entry {
  readonly name: string;
  readonly isFile: () => boolean;
  readonly isDirectory: () => boolean;
  readonly isSymbolicLink: () => boolean;
}

/** Where files of configuration are read: the work tree, or a commit. Paths are absolute, in the work tree for both. */
export interface FileSource {
  /** The ref of the commit; undefined for the work tree. */
  readonly ref?: string;
  /** What a commit is compared with; undefined for the work tree. */
  readonly later?: FileSource;
  /** Where the commit has the file that lies at a path later, if it was moved and nothing else. */
  readonly formerPathOf?: (run: Run, path: string) => Promise<string | undefined>;
  /** The id that git gives to the content of a file; undefined where it cannot be read. */
  readonly blobOf: (run: Run, path: string, algorithm: 'sha1' | 'sha256') => Promise<string | undefined>;
  /** What a path leads to. */
  readonly kindOf: (path: string) => Promise<'file' | 'folder' | Unread>;
  /** Whether a folder lists a path, wherever that leads. */
  readonly isNamed: (path: string) => Promise<boolean>;
  /** What a folder lists, as long as some entries are left; undefined where it lists more. */
  readonly entriesOf: (folder: string, left: { entries: number }) => Promise<readonly Entry[] | undefined>;
  /** A path with its links resolved; as it is, where it leads nowhere. */
  readonly realPathOf: (path: string) => Promise<string>;
  /** The folder that files around a path stay in. */
  readonly rootOf: (path: string) => Promise<string>;
  readonly read: (run: Run, path: string, bounds: Bounds) => Promise<{ readonly bytes: Buffer } | Unread>;
  /** A path as findings name it. */
  readonly shownPath: (path: string, cwd: string) => string;
}
