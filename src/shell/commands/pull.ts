import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { plainAddress } from '../../core/config/server-url.ts';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import { count, listed } from '../../core/findings/words.ts';
import { globMatcher } from '../../core/model/glob.ts';
import { grouped, present } from '../../core/model/json.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import {
  exampleText,
  projectText,
  serverLine,
} from '../../core/pull/project-files.ts';
import { pullEntries } from '../../core/pull/pull.ts';
import { jsonDocument, visible } from '../../core/report/escape.ts';
import { linesReport, type View } from '../../core/report/report.ts';
import { filled, paragraphs } from '../../core/report/wrap.ts';
import { tailoredSchema } from '../../core/schema/tailored-schema.ts';
import { projectSchema } from '../../generated/project-schema.ts';
import { fail } from '../failure.ts';
import type { Options } from '../flags.ts';
import { writeFileWithin } from '../new-file.ts';
import { readWhole } from '../reconcile/plan.ts';
import { pullTarget } from '../reconcile/pull-target.ts';
import type { CommandBody, Run } from '../run.ts';
import {
  PROJECT_FILE,
  readTextFile,
  shellWord,
  shownPath,
} from '../sources/files.ts';
import { secretsFile } from '../sources/secrets-file.ts';

type PullTarget = Awaited<ReturnType<typeof pullTarget>>;
type PulledEntries = ReturnType<typeof pullEntries>;

/** Writes configuration for what is installed and not managed yet; a second run writes none. */
export const pull: CommandBody = async (run, options) => {
  const target = await pullTarget(run, options);
  const secrets =
    options.secretsFile === undefined
      ? undefined
      : await secretsFile(run, options.secretsFile);
  const live = await readWhole(run, options, [target.server]);
  const pulled = pulledFrom(options, target, live);
  const planned = await filesOf(run, target, pulled, live);
  // A signal that came meanwhile is heard here.
  await setImmediate();
  if (secrets !== undefined && !run.interruption.stopping.aborted) {
    const reason = await secrets.write(pulled.shown);
    if (reason !== undefined)
      fail(diagnostic('file-unwritable', { path: secrets.path, reason }));
  }
  const { files, diagnostics } = await writeFiles(run, target.folder, planned);
  const shownAt = (path: string) =>
    shownPath(join(target.folder, path), run.runtime.cwd);
  const pull = { target, pulled, files, secrets: secrets?.path, shownAt };
  const next = files.length === planned.length ? nextSteps(pull) : [];
  return {
    diagnostics: [...target.warnings, ...hiddenSecrets(pulled), ...diagnostics],
    report: linesReport(
      { servers: [reportOf(pull, next)] },
      ({ servers }, view) => servers.map((each) => textOf(each, view)).join(''),
    ),
  };
};

/** A note if the server may hide its secrets: they are comments in the new files, which no later pull writes again. */
function hiddenSecrets({ emptySecrets: addresses }: PulledEntries) {
  if (addresses.length === 0) return [];
  const hint =
    'Ignore this if they were never set. If this server hides secrets, delete the new files and pull again with --hides-secrets.';
  return [diagnostic('hides-secrets', { addresses, isSent: false, hint })];
}

/** The entries to write; fails if `--only` means none that there is. */
function pulledFrom(
  { only }: Options,
  target: PullTarget,
  live: readonly LiveIntegration[],
): PulledEntries {
  const { folder, into, existing, taken, server } = target;
  const pulled = pullEntries({
    ...{ live, existing, taken },
    ...present({
      only,
      server: into === 'integrations/' ? undefined : server.name,
    }),
    schema: shownPath(join(folder, schemaPath(target)), join(folder, into)),
  });
  const { names } = pulled;
  if (only === undefined || names.some(globMatcher(only))) return pulled;
  return fail(diagnostic('unknown-name', { word: only, of: 'entry', names }));
}

/** The file that names all variables, without their values. */
const EXAMPLE = '.env.example';

const PROJECT_SCHEMA = 'schemas/setpoint.yaml.schema.json';

function schemaPath({ server }: PullTarget): string {
  return `schemas/${server.name}.schema.json`;
}

/** A file to write, by its path in the folder of the configuration. */
type PullFile = Awaited<ReturnType<typeof filesOf>>[number];

/** What a pull writes, in this order: what names other files comes after them. Files that are as they should be are left out. */
async function filesOf(
  run: Run,
  target: PullTarget,
  { files, needed }: PulledEntries,
  live: readonly LiveIntegration[],
) {
  const { project, folder, into, existing, isListed } = target;
  if (files.length === 0 && existing.entries.length === 0) return [];
  const schema = jsonDocument(run.writer.mask.data(tailoredSchema(live)));
  const ofProject =
    project === undefined
      ? `${JSON.stringify(projectSchema, null, 2)}\n`
      : undefined;
  const isOther =
    isListed || (project !== undefined && project.folder !== folder);
  const wanted = [
    { path: schemaPath(target), textOf: () => schema },
    {
      path: EXAMPLE,
      textOf: (old?: string) =>
        needed.length === 0 ? old : exampleText(old, needed),
    },
    ...files.map(({ name, text }) => ({
      path: `${into}${name}.yaml`,
      textOf: () => text,
    })),
    { path: PROJECT_SCHEMA, textOf: () => ofProject },
    {
      path: PROJECT_FILE,
      textOf: (old?: string) =>
        isOther ? old : projectText(old, listedServer(target), PROJECT_SCHEMA),
    },
  ];
  const made = wanted.map(async ({ path, textOf }) => {
    const content = await readTextFile(run, join(folder, path), {
      most: LARGEST,
    });
    const old = 'text' in content ? content.text : undefined;
    const text = textOf(old);
    return text === undefined || text === old
      ? []
      : [{ path, text, isRenewed: old !== undefined }];
  });
  return (await Promise.all(made)).flat();
}

/** The most bytes of a file that is renewed. */
const LARGEST = 64 * 1024 * 1024;

/** The server as a `setpoint.yaml` lists it. */
function listedServer({ server, project, folder, into }: PullTarget) {
  const layer = `${shownPath(join(folder, into), project?.folder ?? folder)}/`;
  const { name, url, hidesSecrets } = server;
  return { name, url: plainAddress(url.href), layers: [layer], hidesSecrets };
}

/** Writes files one by one, each whole or not at all, until one fails or a signal comes. Returns those that are written. */
async function writeFiles(
  run: Run,
  folder: string,
  files: readonly PullFile[],
) {
  for (const [at, { path, text, isRenewed }] of files.entries()) {
    const done = files.slice(0, at);
    if (run.interruption.stopping.aborted)
      return { files: done, diagnostics: [] };
    const reason = await writeFileWithin(folder, path, text, { isRenewed });
    if (reason === undefined) continue;
    const facts = {
      path: shownPath(join(folder, path), run.runtime.cwd),
      reason,
    };
    const written = done.map((each) => each.path);
    return {
      files: done,
      diagnostics: [diagnostic('file-unwritable', { ...facts, written })],
    };
  }
  return { files, diagnostics: [] };
}

/** What became of a pull: the files that were written, and the path of the file of secrets, if one was asked for. */
interface Pull {
  readonly target: PullTarget;
  readonly pulled: PulledEntries;
  readonly files: readonly PullFile[];
  readonly secrets: string | undefined;
  /** How a path in the folder of the configuration is named in this run. */
  readonly shownAt: (path: string) => string;
}

/** What a pull tells, next steps included. */
function reportOf(
  { target: { server, into }, pulled, files, secrets, shownAt }: Pull,
  next: Steps,
) {
  const { needed, leftOut, managed, undeclared } = pulled;
  const known = [...pulled.shown.values()].filter((text) => text !== undefined);
  return {
    name: server.name,
    url: server.url.origin,
    files: files.map(({ path }) => ({ path: shownAt(path) })),
    into: `${shownAt(into)}/`,
    adopted: files.filter(({ path }) => path.startsWith(into)).length,
    managed,
    variables: needed,
    ...present({
      example: needed.length === 0 ? undefined : shownAt(EXAMPLE),
      secrets:
        secrets === undefined
          ? undefined
          : { path: secrets, count: known.length },
    }),
    ...{ leftOut, undeclared, next },
  };
}

/** The files and secrets of a pull, what is left out, and the next steps. */
function textOf(
  pulled: ReturnType<typeof reportOf>,
  { paint, width }: View,
): string {
  const {
    name,
    into,
    adopted,
    managed,
    files,
    leftOut,
    undeclared,
    next,
    secrets,
    variables,
  } = pulled;
  const wrapped = (text: string, indent = 0) =>
    filled(visible(text), width, indent);
  const under = (title: string, texts: readonly string[]) =>
    texts.length === 0
      ? []
      : [title, ...texts.flatMap((text) => wrapped(text, 2))];
  const made = `Pulled ${count(adopted, 'integration')} of ${name} into ${into} (${count(files.length, 'file')}).`;
  const before = `${count(managed, 'integration is', 'integrations are')} managed already.`;
  const reasons = [...grouped(leftOut, ({ reason }) => reason)].map(
    ([reason, all]) => {
      const addresses = all.map(({ address }) => address);
      return `${reason}: ${listed(addresses, 3)}`;
    },
  );
  const needed = `The new entries need ${count(variables.length, 'secret')}, listed in ${pulled.example}.`;
  const hidden = variables.flatMap(({ isShown, variable }) =>
    isShown ? [] : variable,
  );
  const steps = next.flatMap(({ text, isCommand }) =>
    isCommand ? `  ${visible(text)}` : wrapped(text),
  );
  return paragraphs([
    wrapped(
      `${adopted === 0 ? `Nothing new on ${name}.` : made}${managed === 0 ? '' : ` ${before}`}`,
    ),
    [
      ...(variables.length === 0 ? [] : wrapped(needed)),
      ...(secrets
        ? wrapped(`Wrote ${count(secrets.count, 'secret')} to ${secrets.path}.`)
        : []),
      ...under(
        'The server does not show:',
        hidden.length === 0 ? [] : [listed(hidden)],
      ),
    ],
    under('Left out:', reasons),
    undeclared.length === 0 ? [] : wrapped(undeclaredText(undeclared)),
    steps.length === 0 ? [] : [paint.strong('Next:'), ...steps],
  ]);
}

/** Options that no file declares: a few by their names, more as a count. */
function undeclaredText(undeclared: PulledEntries['undeclared']): string {
  let total = 0;
  const names: string[] = [];
  for (const { name, options } of undeclared) {
    total += options.length;
    const named = options.length > 3 ? `${options.length}` : options.join(', ');
    names.push(`${name} (${named})`);
  }
  return `Left alone: ${count(total, 'option')} that no file declares: ${listed(names, 5)}.`;
}

const words = (text: string) => ({ text, isCommand: false });
const command = (text: string) => ({ text, isCommand: true });

type Steps = readonly ReturnType<typeof words>[];

/** What a person does next; each command runs as it is printed. */
function nextSteps(pull: Pull): Steps {
  const { target, files, secrets, shownAt } = pull;
  const { project, server, isListed } = target;
  const listing = listingSteps(target, files);
  if (files.length === 0 && secrets === undefined) return listing;
  const way = shownAt('.');
  const isOne = isListed
    ? project?.project.servers.length === 1
    : project === undefined;
  return [
    ...listing,
    ...secretSteps(pull),
    ...(way === '' ? [] : [command(`cd ${shellWord(way)}`)]),
    command(isOne ? 'setpoint plan' : `setpoint plan --server ${server.name}`),
  ];
}

/** What `setpoint.yaml` lacks. */
function listingSteps(target: PullTarget, files: readonly PullFile[]): Steps {
  const { isListed, isRead, server, project } = target;
  const listed = listedServer(target);
  if (
    isRead ||
    project === undefined ||
    files.some(({ path }) => path === PROJECT_FILE)
  )
    return [];
  if (!isListed)
    return [
      words('Add the server to setpoint.yaml:'),
      command(serverLine(listed)),
    ];
  const isNew = files.some(({ path }) => path.startsWith(target.into));
  return isNew
    ? [
        words(
          `Add ${listed.layers[0]} to the config of ${server.name} in setpoint.yaml.`,
        ),
      ]
    : [];
}

/** How a shell gets the variables: from the new file, or from one that a person fills in. */
function secretSteps({
  pulled: { needed, shown },
  secrets,
  shownAt,
}: Pull): Steps {
  if (secrets === undefined ? needed.length === 0 : shown.size === 0) return [];
  const path = secrets ?? shownAt('.env');
  const copy = `Copy the variables of ${shownAt(EXAMPLE)} to ${path}, which git must ignore, fill them in and load them.`;
  const isWhole = ![...shown.values()].includes(undefined);
  const load = isWhole
    ? 'Load the secrets:'
    : `Write into ${path} what the server does not show, then load it:`;
  const file = shellWord(path.includes('/') ? path : `./${path}`);
  return [
    words(secrets === undefined ? copy : load),
    command(`set -a; . ${file}; set +a`),
  ];
}
