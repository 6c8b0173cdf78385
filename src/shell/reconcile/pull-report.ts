import { present } from '../../core/model/present.ts';
import type { Adoption } from '../../core/pull/adoption.ts';
import type { Pulled } from '../../core/report/text/pull.ts';
import type { Run } from '../run.ts';
import { shownPath } from '../sources/work-tree.ts';
import type { PullFiles } from './pull-files.ts';
import { nextSteps, shownLayer } from './pull-steps.ts';
import { inFolder, type PullOptions, type PullTarget } from './pull-target.ts';

/** What became of a pull. */
export interface PullResult {
  readonly options: PullOptions & { readonly secretsFile?: string | undefined };
  readonly target: PullTarget;
  readonly adoption: Adoption;
  readonly laidOut: PullFiles;
  /** The paths that were written, from the working folder. */
  readonly files: readonly string[];
  /** How many values were added to the file of secrets. */
  readonly secrets: number | undefined;
  /** Whether that file is there. */
  readonly hasSecrets: boolean;
  /** The variables that it sets to another text than the server shows. */
  readonly stale?: readonly string[] | undefined;
  readonly isWhole: boolean;
}

/** The report of a pull. */
export function pulledReport(run: Run, result: PullResult): Pulled & { name: string; url: string } {
  const { options, target, adoption, laidOut, files, hasSecrets, stale = [] } = result;
  const { server, folder, into } = target;
  const { cwd } = run.runtime;
  const { secretsFile } = options;
  const described = adoption.entries.filter(({ lines }) => lines.length > 0);
  const needed = described.flatMap((entry) => entry.needed);
  const shown = (path: string) => shownPath(inFolder(target, path), cwd);
  const adopted = adoptedIn(into, shown(into), files, described.length);
  return {
    name: server.name,
    url: server.url.origin,
    files: files.map((path) => ({ path })),
    into: shownLayer(into, folder, cwd),
    adopted,
    unwritten: described.length - adopted,
    managed: adoption.managed,
    bare: adoption.entries.filter(({ lines, leftOut }) => lines.length + leftOut.length === 0).length,
    variables: needed.map(({ variable, address, text }) => ({
      variable,
      address,
      isShown: text !== undefined,
    })),
    ...present({
      example: laidOut.example === undefined ? undefined : shown(laidOut.example),
      secrets:
        secretsFile === undefined ? undefined : { path: secretsFile, added: result.secrets ?? 0, stale },
    }),
    leftOut: adoption.entries.flatMap(({ leftOut }) => leftOut),
    notInstalled: adoption.notInstalled.map((name) => ({ name })),
    next: result.isWhole ? nextSteps({ target, laidOut, needed, secretsFile, hasSecrets, stale, cwd }) : [],
  };
}

/** How many entries were written: each has a file, or all have one. */
function adoptedIn(into: string, shown: string, files: readonly string[], all: number): number {
  if (!into.endsWith('/')) return files.includes(shown) ? all : 0;
  return files.filter((path) => path.startsWith(`${shown}/`)).length;
}
