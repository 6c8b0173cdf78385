import { access, constants } from 'node:fs/promises';
import { dirname } from 'node:path';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import { YAML_LIMITS } from '../../core/yaml/compose.ts';
import { fail, systemReason } from '../failure.ts';
import { replaceFile } from '../new-file.ts';
import { isInside, realPath } from '../paths.ts';
import type { Run } from '../run.ts';
import { readTextFile, unreadable } from './files.ts';

/** A file to replace. Texts have no byte order mark. */
interface EditedText {
  /** As people name it. */
  readonly path: string;
  /** With its links resolved. */
  readonly real: string;
  /** The folder that it must be in. */
  readonly root: string;
  /** What was read. */
  readonly text: string;
  readonly after: string;
}

/** Replaces files, each as a whole, if `confirm` agrees. Fails before the first if one must not be, or is not as it was read. */
export async function replaceFiles(
  run: Run,
  files: readonly EditedText[],
  confirm: () => Promise<boolean>,
): Promise<boolean> {
  for (const file of files) await refuseUnwritable(file);
  if (!(await confirm())) return false;
  const marks = await Promise.all(files.map((file) => markOf(run, file)));
  const written: string[] = [];
  for (const [index, { path, real, after }] of files.entries()) {
    const reason = await replaceFile(real, `${marks[index] ?? ''}${after}`);
    if (reason !== undefined) fail(diagnostic('file-unwritable', { path, reason, written }));
    written.push(path);
  }
  return true;
}

/** Fails for a file that a link of another folder leads to, or without write permission. */
async function refuseUnwritable({ path, real, root }: EditedText): Promise<void> {
  const refuse = (reason: string) => fail(diagnostic('file-unwritable', { path, reason, written: [] }));
  if (!isInside(await realPath(root), real))
    refuse('it is a link to another folder; name the file that it leads to');
  for (const each of [dirname(real), real])
    await access(each, constants.W_OK).catch((thrown: unknown) => refuse(systemReason(thrown)));
}

/** The byte order mark of a file; fails if it is not as it was read, or cannot be read. */
async function markOf(run: Run, { path, real, root, text }: EditedText): Promise<string> {
  const content = await readTextFile(run, real, { most: YAML_LIMITS.bytes, root });
  if ('reason' in content) return fail(unreadable(path, content));
  return content.text === text ? content.mark : fail(diagnostic('file-changed', { path }));
}
