import type { Run } from '../run.ts';
import type { Bounds, Unread } from './regular-file.ts';

/** Where configuration is read: the work tree, or a commit. Paths are absolute, in the work tree for both. */
export interface FileSource {
  /** The ref of the commit; undefined for the work tree. */
  readonly ref?: string;
  readonly kindOf: (path: string) => Promise<'file' | 'folder' | Unread>;
  /** The paths of all YAML files in a folder, from there; with those below it if `isDeep`. Links to folders are not followed. */
  readonly yamlIn: (folder: string, root: string, isDeep: boolean) => Promise<readonly string[] | Unread>;
  /** The folder that files around a path stay in. */
  readonly rootOf: (path: string) => Promise<string>;
  readonly read: (run: Run, path: string, bounds: Bounds) => Promise<{ readonly bytes: Buffer } | Unread>;
  /** A path as findings name it. */
  readonly shownPath: (path: string, cwd: string) => string;
}
