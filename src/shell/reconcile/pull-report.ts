import { join } from 'node:path';
import { PROJECT_FILE } from '../../core/config/project.ts';
import { count } from '../../core/findings/words.ts';
import { present } from '../../core/model/json.ts';
import { serverLine } from '../../core/pull/project-text.ts';
import type { PulledEntries } from '../../core/pull/pull.ts';
import type { Pulled } from '../../core/report/text/pull.ts';
import type { Run } from '../run.ts';
import { shownPath } from '../sources/files.ts';
import { EXAMPLE, listedServer, type PullFile } from './pull-files.ts';
import type { PullTarget } from './pull-target.ts';
import { shellPath, shellWord } from './shell-word.ts';

/** What became of a pull. */
interface PullResult {
  readonly target: PullTarget;
  readonly pulled: PulledEntries;
  /** The files that were written. */
  readonly files: readonly PullFile[];
  /** The path of the file of secrets, if one was asked for. */
  readonly secrets: string | undefined;
  readonly isWhole: boolean;
}

/** The report of a pull. */
export function pulledReport(run: Run, result: PullResult): Pulled & { name: string; url: string } {
  const { target, pulled, files, secrets, isWhole } = result;
  const { server, folder, into } = target;
  const shown = (path: string) => shownPath(join(folder, path), run.runtime.cwd);
  const { shown: texts, needed, leftOut, managed } = pulled;
  return {
    name: server.name,
    url: server.url.origin,
    files: files.map(({ path }) => ({ path: shown(path) })),
    into: `${shown(into)}/`,
    adopted: files.filter(({ path }) => path.startsWith(into)).length,
    managed,
    variables: needed,
    ...present({ example: needed.length === 0 ? undefined : shown(EXAMPLE) }),
    ...present({
      secrets:
        secrets === undefined
          ? undefined
          : { path: secrets, count: [...texts.values()].filter((text) => text !== undefined).length },
    }),
    leftOut,
    notInstalled: pulled.notInstalled.map((name) => ({ name })),
    next: isWhole ? nextSteps(run, result) : [],
  };
}

type Step = Pulled['next'][number];

const words = (text: string): Step => ({ text, isCommand: false });
const command = (text: string): Step => ({ text, isCommand: true });

/** What a person does next; each command runs as it is printed. */
function nextSteps(run: Run, { target, pulled, files, secrets }: PullResult): readonly Step[] {
  const { folder, project, server } = target;
  const { cwd } = run.runtime;
  const listing = listingSteps(target, files);
  if (files.length === 0 && secrets === undefined) return listing;
  const way = shownPath(folder, cwd);
  const isOne = target.isListed ? project?.project.servers.length === 1 : project === undefined;
  return [
    ...listing,
    ...secretSteps(pulled, secrets, (path) => shownPath(join(folder, path), cwd)),
    ...(way === '' ? [] : [command(`cd ${shellWord(way.replace(/^-/, './-'))}`)]),
    command(isOne ? 'setpoint plan' : `setpoint plan --server ${shellWord(server.name)}`),
  ];
}

/** What `setpoint.yaml` lacks. */
function listingSteps(target: PullTarget, files: readonly PullFile[]): readonly Step[] {
  const { isListed, isRead, server, project } = target;
  const listed = listedServer(target);
  if (isRead || project === undefined || files.some(({ path }) => path === PROJECT_FILE)) return [];
  if (!isListed) return [words('Add the server to setpoint.yaml:'), command(serverLine(listed))];
  const isNew = files.some(({ path }) => path.startsWith(target.into));
  return isNew ? [words(`Add ${listed.layers[0]} to the config of ${server.name} in setpoint.yaml.`)] : [];
}

/** How a shell gets the variables: from the new file, or from one that a person fills in. */
function secretSteps(
  { needed, shown }: PulledEntries,
  secrets: string | undefined,
  shownAt: (path: string) => string,
): readonly Step[] {
  const unshown = [...shown.values()].filter((text) => text === undefined).length;
  if (secrets === undefined ? needed.length === 0 : shown.size === 0) return [];
  const path = secrets ?? shownAt('.env');
  const instead = needed.some(({ isShown }) => isShown)
    ? ' Or pull again with --secrets-file and a new file.'
    : '';
  const copy = `Copy the variables of ${shownAt(EXAMPLE)} to ${path}, which git must ignore, fill them in and load them.${instead}`;
  const complete = `The server does not show ${count(unshown, 'secret')}: write ${unshown === 1 ? 'it' : 'them'} into ${path}, then load the file:`;
  const load = unshown === 0 ? 'Load the secrets, then plan:' : complete;
  return [words(secrets === undefined ? copy : load), command(`set -a; . ${shellPath(path)}; set +a`)];
}
