import {
  type ListedServer,
  serverLine,
} from '../../core/pull/project-files.ts';
import type { PulledEntries } from '../../core/pull/pull.ts';
import type { PullStep } from '../../core/report/text/pull.ts';
import { PROJECT_FILE, shellWord } from '../sources/files.ts';
import type { SecretsFile } from '../sources/secrets-file.ts';
import {
  EXAMPLE,
  listedSecretsFile,
  listedServer,
  ownLayer,
  type PulledFile,
} from './pull-files.ts';
import type { PullTarget } from './pull-target.ts';

/** A pull that has ended. */
export interface Pull {
  readonly target: PullTarget;
  readonly entries: PulledEntries;
  /** The files that were written. */
  readonly files: readonly PulledFile[];
  /** Whether a flag or an interruption kept integrations out. */
  readonly isPart: boolean;
  /** The file of secrets, if a flag named one. */
  readonly secrets: SecretsFile | undefined;
  /** Names a path in the folder of the configuration as this run does. */
  readonly shownAt: (path: string) => string;
}

/** Lists what a person does next; each command runs as it is printed. */
export function nextSteps(pull: Pull): readonly PullStep[] {
  const { files, secrets, shownAt } = pull;
  const steps = listingSteps(pull);
  if (files.length === 0 && secrets === undefined) return steps;
  steps.push(...secretSteps(pull));
  const folder = shownAt('.');
  if (folder !== '') steps.push(command(`cd ${shellWord(folder)}`));
  // A new entry of a shared layer concerns the other servers too.
  steps.push(command('setpoint plan'));
  return steps;
}

/** Lists what `setpoint.yaml` lacks. */
function listingSteps(pull: Pull): PullStep[] {
  const { target, files, entries, secrets } = pull;
  const { isListed, isRead, server, project, into } = target;
  const isWritten = files.some(({ path }) => path === PROJECT_FILE);
  if (isRead || project === undefined || isWritten) return [];
  if (!isListed) {
    const secretsFile = secrets?.inProject;
    return addServer(listedServer({ target, entries, secretsFile }));
  }
  const isNew = files.some(({ path }) => path.startsWith(into));
  if (!isNew && target.taken.length === 0) return [];
  const addLayer = `Add ${ownLayer(target)} to the config of ${server.name} in setpoint.yaml.`;
  return [words(addLayer)];
}

function addServer(server: ListedServer): PullStep[] {
  const add = words('Add the server to setpoint.yaml:');
  return [add, command(serverLine(server))];
}

/** Says how an apply gets the variables: no other command needs them. */
function secretSteps(pull: Pull): PullStep[] {
  const { entries, secrets, shownAt } = pull;
  if (secrets === undefined) {
    if (entries.needed.length === 0) return [];
    const listed = listedSecretsFile(pull.target);
    if (listed !== undefined)
      return [
        words(
          `Only apply needs the secrets: write them into ${listed}, which setpoint.yaml names.`,
        ),
      ];
    const copy = `Only apply needs the secrets: copy ${shownAt(EXAMPLE)} to a file that git ignores, fill it in, and pass it with --secrets-file.`;
    return [words(copy)];
  }
  const { path } = secrets;
  const steps: PullStep[] = [];
  const shown = [...entries.shown.values()];
  if (shown.some(({ kind }) => kind === 'hidden'))
    steps.push(words(`Write into ${path} what the server does not show.`));
  if (entries.shown.size > 0 && !isListedFile(pull))
    steps.push(words(`Pass ${path} to apply with --secrets-file.`));
  return steps;
}

/** Whether `setpoint.yaml` names the file of secrets. */
function isListedFile({ secrets, files, target }: Pull): boolean {
  if (secrets?.inProject === undefined) return false;
  if (listedSecretsFile(target) === secrets.inProject) return true;
  return files.some(({ path }) => path === PROJECT_FILE);
}

function words(text: string): PullStep {
  return { text, isCommand: false };
}

function command(text: string): PullStep {
  return { text, isCommand: true };
}
