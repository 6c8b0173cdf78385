import {
  type ListedServer,
  serverLine,
} from '../../core/pull/project-files.ts';
import type { PulledEntries } from '../../core/pull/pull.ts';
import type { PullStep } from '../../core/report/text/pull.ts';
import { PROJECT_FILE, shellWord } from '../sources/files.ts';
import { EXAMPLE, listedServer, type PulledFile } from './pull-files.ts';
import type { PullTarget } from './pull-target.ts';

/** A pull that has ended. */
export interface Pull {
  readonly target: PullTarget;
  readonly entries: PulledEntries;
  /** The files that were written. */
  readonly files: readonly PulledFile[];
  /** Whether a flag or an interruption kept integrations out. */
  readonly isPart: boolean;
  /** The path of the file of secrets, if a flag named one. */
  readonly secrets: string | undefined;
  /** Names a path in the folder of the configuration as this run does. */
  readonly shownAt: (path: string) => string;
}

/** Lists what a person does next; each command runs as it is printed. */
export function nextSteps(pull: Pull): readonly PullStep[] {
  const { target, files, secrets, shownAt } = pull;
  const steps = listingSteps(target, files);
  if (files.length === 0 && secrets === undefined) return steps;
  steps.push(...secretSteps(pull));
  const folder = shownAt('.');
  if (folder !== '') steps.push(command(`cd ${shellWord(folder)}`));
  const { name } = target.server;
  const plan = 'setpoint plan';
  steps.push(command(isOnlyServer(target) ? plan : `${plan} --server ${name}`));
  return steps;
}

function isOnlyServer({ isListed, project }: PullTarget): boolean {
  if (!isListed) return project === undefined;
  return project?.project.servers.length === 1;
}

/** Lists what `setpoint.yaml` lacks. */
function listingSteps(
  target: PullTarget,
  files: readonly PulledFile[],
): PullStep[] {
  const { isListed, isRead, server, project, into } = target;
  const isWritten = files.some(({ path }) => path === PROJECT_FILE);
  if (isRead || project === undefined || isWritten) return [];
  const listed = listedServer(target);
  if (!isListed) return addServer(listed);
  const isNew = files.some(({ path }) => path.startsWith(into));
  if (!isNew) return [];
  const [layer] = listed.layers;
  const addLayer = `Add ${layer} to the config of ${server.name} in setpoint.yaml.`;
  return [words(addLayer)];
}

function addServer(server: ListedServer): PullStep[] {
  const add = words('Add the server to setpoint.yaml:');
  return [add, command(serverLine(server))];
}

/**
 * Lists how a shell gets the variables: from the new file, or from one that a
 * person fills in.
 */
function secretSteps(pull: Pull): PullStep[] {
  const { entries, secrets, shownAt } = pull;
  if (secrets === undefined) {
    if (entries.needed.length === 0) return [];
    const path = shownAt('.env');
    const copy = `Copy the variables of ${shownAt(EXAMPLE)} to ${path}, which git must ignore, fill them in and load them.`;
    return [words(copy), loading(path)];
  }
  if (entries.shown.size === 0) return [];
  const isWhole = ![...entries.shown.values()].includes(undefined);
  const fillIn = `Write into ${secrets} what the server does not show, then load it:`;
  return [words(isWhole ? 'Load the secrets:' : fillIn), loading(secrets)];
}

/** The command that loads the variables of a file into a shell. */
function loading(path: string): PullStep {
  const file = shellWord(path.includes('/') ? path : `./${path}`);
  return command(`set -a; . ${file}; set +a`);
}

function words(text: string): PullStep {
  return { text, isCommand: false };
}

function command(text: string): PullStep {
  return { text, isCommand: true };
}
