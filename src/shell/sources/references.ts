import { resolve } from 'node:path';
import type { WrittenConfig } from '../../core/config/entry.ts';
import {
  type OutsideReferences,
  outsideReferences,
  type ReadFile,
  type ReferenceTable,
  referenceTable,
} from '../../core/config/resolve.ts';
import { leftoverIn } from '../../core/config/text-flaws.ts';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { globMatcher } from '../../core/model/glob.ts';
import { isOwnCredential } from '../../core/model/own-credential.ts';
import type { Run } from '../run.ts';
import { type FileSource, WORK_TREE } from './files.ts';
import type { Variables } from './variables.ts';

/** How references are read. */
interface ReferenceReading {
  /** Globs on the names of variables that may be read too. */
  allowEnv?: readonly string[] | undefined;
  /** The texts of variables. */
  variables: Variables;
  /** The folder that files must be in. */
  root: string;
  /**
   * Whether all texts are masked, as with a base: then `sensitive: false` alone
   * keeps nothing from it.
   */
  masksAll?: boolean | undefined;
}

/**
 * Reads the texts of the references of a configuration, or why they have none.
 */
export async function readReferences(
  run: Run,
  config: WrittenConfig,
  reading: ReferenceReading,
): Promise<ReferenceTable> {
  const { allowEnv = [], variables, root, masksAll = false } = reading;
  const wanted = outsideReferences(config);
  const globs = ['SETPOINT_*', ...allowEnv].map(globMatcher);
  const isAllowed = (name: string): boolean =>
    !isOwnCredential(name) && globs.some((matches) => matches(name));
  const files = await readFiles(run, wanted, root, WORK_TREE);
  const table = referenceTable(wanted, variables, isAllowed, files);
  for (const [reference, found] of table) {
    const isMasked = masksAll || wanted.get(reference)?.isMasked === true;
    if (isMasked && 'text' in found) run.writer.addSecret(found.text);
  }
  return table;
}

/** Digests of files, and why some of a commit have none. */
interface Digests {
  digests: ReadonlyMap<string, string>;
  diagnostics: readonly Diagnostic[];
}

/**
 * Digests the files that the references of a configuration name, by path, in
 * the work tree or at a revision, whatever line ends a checkout gives them.
 * They tell two contents apart, and are never shown. Skips what can be no
 * value, and pointers that a tool left in place of a file: git may hold these
 * alone.
 */
export async function digestFiles(
  run: Run,
  config: WrittenConfig,
  root: string,
  source: FileSource = WORK_TREE,
): Promise<Digests> {
  const { ref = '' } = source;
  const digests = new Map<string, string>();
  const diagnostics: Diagnostic[] = [];
  const references = outsideReferences(config);
  for (const [path, file] of await readFiles(run, references, root, source)) {
    if ('text' in file) {
      if (leftoverIn(file.text) !== undefined) continue;
      const plain = file.text.replaceAll('\r\n', '\n');
      // Loaded once it is needed, like all that takes milliseconds.
      const { createHash } = process.getBuiltinModule('node:crypto');
      const digest = createHash('sha256').update(plain).digest('hex');
      digests.set(path, digest);
    } else if (file.code === 'ENODATA') {
      const { reason, hint } = file;
      const facts = { ref, path, reason, hint };
      diagnostics.push(diagnostic('revision-incomplete', facts));
    }
  }
  return { digests, diagnostics };
}

/** Reads the files that references name: of at most 64 KiB. */
function readFiles(
  run: Run,
  references: OutsideReferences,
  root: string,
  source: FileSource,
): Promise<readonly ReadFile[]> {
  const bounds = { most: 64 * 1024, root };
  const files = [...references.values()].filter(({ kind }) => kind === 'file');
  const read = async (path: string): Promise<ReadFile> => {
    return [path, await source.read(run, resolve(root, path), bounds)];
  };
  return Promise.all(files.map(({ name }) => read(name)));
}
