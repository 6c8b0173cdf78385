import { join } from 'node:path';
import { urlText } from '../../core/config/server-url.ts';
import type { NeededVariable } from '../../core/pull/variables.ts';
import { shellPath, shellWord } from '../../core/report/shell-word.ts';
import type { Pulled } from '../../core/report/text/pull.ts';
import { valueText } from '../../core/yaml/value-text.ts';
import { shownPath } from '../sources/work-tree.ts';
import type { PullFiles } from './pull-files.ts';
import { isInLayers } from './pull-place.ts';
import { inFolder, type PullTarget } from './pull-target.ts';

/** What became of a pull, as far as it decides what to do next. */
export interface PullOutcome {
  readonly target: PullTarget;
  readonly laidOut: PullFiles;
  /** The variables that the new entries read. */
  readonly needed: readonly NeededVariable[];
  readonly secretsFile?: string | undefined;
  /** Whether that file is there. */
  readonly hasSecrets: boolean;
  /** The variables that the file of secrets sets to another text than the server shows. */
  readonly stale: readonly string[];
  readonly cwd: string;
}

type Step = Pulled['next'][number];

const words = (text: string): Step => ({ text, isCommand: false });
const command = (text: string): Step => ({ text, isCommand: true });

/** What a person does next. */
export function nextSteps(outcome: PullOutcome): readonly Step[] {
  const { target, laidOut, cwd } = outcome;
  const { server, project, folder } = target;
  const layers = layerSteps(target, laidOut);
  const stale = staleSteps(outcome);
  if (laidOut.files.length === 0 && layers.length === 0) return stale;
  const way = shownPath(folder, cwd);
  const others = project?.project.servers.filter(({ name }) => name !== server.name) ?? [];
  const plan = others.length > 0 ? `setpoint plan --server ${shellWord(server.name)}` : 'setpoint plan';
  return [
    ...layers,
    ...schemaSteps(outcome),
    ...stale,
    ...secretSteps(outcome),
    ...(way === '' ? [] : [command(`cd ${shellWord(way.replace(/^-/, './-'))}`)]),
    command(plan),
  ];
}

/** What `setpoint.yaml` lacks. */
function layerSteps(target: PullTarget, laidOut: PullFiles): readonly Step[] {
  const { server, project, isNamed } = target;
  const layers = project === undefined ? [] : unlistedLayers(target, laidOut, project.folder);
  if (layers.length === 0) return [];
  return isNamed
    ? [words(`Add ${layers.join(' and ')} to the config of ${server.name} in setpoint.yaml.`)]
    : [words('Add the server to setpoint.yaml:'), command(serverLine(server, layers))];
}

/** What `setpoint.yaml` does not list of the entries of the server, from its folder. */
function unlistedLayers(target: PullTarget, { files }: PullFiles, from: string): readonly string[] {
  const { server, folder, into, unlisted } = target;
  const isNew = files.some(({ path }) => (into.endsWith('/') ? path.startsWith(into) : path === into));
  const all = [...new Set([...unlisted, ...(isNew ? [into] : [])])];
  return all
    .filter((path) => !isInLayers(server.layers, join(folder, path)))
    .map((path) => shownLayer(path, folder, from));
}

/** A path of the folder from elsewhere, with the slash behind a folder. */
export function shownLayer(path: string, folder: string, from: string): string {
  return `${shownPath(join(folder, path), from)}${path.endsWith('/') ? '/' : ''}`;
}

/** A server as a line of `setpoint.yaml`. */
function serverLine({ name, url }: PullTarget['server'], layers: readonly string[]): string {
  const inFlow = { indent: '', isInFlow: true };
  return `${valueText(name, inFlow)}: { url: ${valueText(urlText(url), inFlow)}, config: ${valueText(layers, inFlow)} }`;
}

function schemaSteps({ target, laidOut: { staleSchema }, cwd }: PullOutcome): readonly Step[] {
  if (staleSchema === undefined) return [];
  const path = shellPath(shownPath(inFolder(target, staleSchema), cwd));
  return [
    words('The schema for editors is older than the server. To make it anew:'),
    command(`setpoint schema --url ${shellWord(urlText(target.server.url))} > ${path}`),
  ];
}

/** A file of secrets is only added to: what is in it is for a person to take out. */
function staleSteps({ stale, secretsFile = '' }: PullOutcome): readonly Step[] {
  if (stale.length === 0) return [];
  const [them, are] = stale.length === 1 ? ['this one', 'it is'] : ['these', 'they are'];
  return [
    words(
      `A plan would set ${them} to what ${secretsFile} has. Where the server is right, take ${them} out of ${secretsFile} and pull again: ${are} written as the server shows.`,
    ),
  ];
}

/** How a shell gets the variables: a sentence, then commands. All examples go into one file. */
function secretSteps(outcome: PullOutcome): readonly Step[] {
  const { needed, secretsFile, hasSecrets, target, laidOut, cwd } = outcome;
  if (needed.length === 0) return [];
  const shown = (path: string) => shownPath(inFolder(target, path), cwd);
  const [example, own] = [shown(laidOut.example ?? ''), secretsFile ?? shown('.env')];
  const load = command(`set -a; . ${shellPath(own)}; set +a`);
  if (hasSecrets) {
    const isAll = needed.every(({ text }) => text !== undefined);
    const lacks = `Add to ${own} what the server does not show, and load it:`;
    return [words(isAll ? 'Load the secrets, then look at the plan:' : lacks), load];
  }
  const isShown = needed.some(({ text }) => text !== undefined);
  const instead = isShown ? ' (or let --secrets-file write what the server shows)' : '';
  return [
    words(`Add ${example} to ${own}, which git must ignore, fill it in${instead}, and load it:`),
    command(`(umask 077; cat ${shellPath(example)} >> ${shellPath(own)})`),
    load,
  ];
}
