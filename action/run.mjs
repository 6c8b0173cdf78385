// Runs setpoint as the inputs say, and tells later steps what came of it. No shell sees an input.
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argumentsFor, wrongInput } from './inputs.mjs';

const { env } = process;
/** How a plan ends whose apply is not refused. */
const APPLICABLE = [0, 2, 3];
const wrong = wrongInput(env);
if (wrong === undefined) {
  process.exitCode = runWith(
    mkdtempSync(join(env.RUNNER_TEMP ?? tmpdir(), 'setpoint-')),
  );
} else {
  process.stdout.write(`::error::${wrong}\n`);
  output({ 'exit-code': 3 });
  process.exitCode = 3;
}

/** Runs the command with its reports in a folder; returns its exit code. */
function runWith(folder) {
  const reports = { json: join(folder, 'report.json') };
  const hasSummary = env.INPUT_SUMMARY === 'true';
  if (hasSummary) reports.github = join(folder, 'annotations.txt');
  const isForReview =
    env.INPUT_COMMENT === 'true' &&
    ['plan', 'diff'].includes(env.INPUT_COMMAND);
  const isForIssue = env.INPUT_ISSUE === 'true';
  if (hasSummary || isForReview || isForIssue)
    reports.markdown = join(folder, 'report.md');
  // By its path: PATH may lead into the workspace.
  const words = [env.PROGRAM_FILE, ...argumentsFor(env, reports)];
  const { status, error } = spawnSync(process.execPath, words, {
    stdio: 'inherit',
    env: withoutFileCommands(env),
  });
  if (error !== undefined)
    process.stdout.write('::error::setpoint could not be started.\n');
  const code = status ?? 1;
  process.stdout.write(textOf(reports.github));
  if (hasSummary && env.GITHUB_STEP_SUMMARY)
    appendFileSync(env.GITHUB_STEP_SUMMARY, textOf(reports.markdown));
  const isComment = isForReview || isForIssue;
  const comment =
    isComment && existsSync(reports.markdown) ? reports.markdown : '';
  const empty = code === 0 && isEmpty(reports.json);
  output({
    ...totals(reports.json),
    ...serversOf(code, reports.json),
    'exit-code': code,
    comment,
    empty,
  });
  return code;
}

/** The names of the servers that an apply would write to, in their order, and of those that have all of it. */
function serversOf(code, path) {
  if (!existsSync(path)) return {};
  const { servers } = JSON.parse(readFileSync(path, 'utf8'));
  if (servers.length === 0) return {};
  const changed = [];
  const unchanged = [];
  for (const server of servers) {
    const list = changesIn([server]).length > 0 ? changed : unchanged;
    list.push(server.name);
  }
  return {
    servers: JSON.stringify(APPLICABLE.includes(code) ? changed : []),
    unchanged: code === 0 || code === 2 ? unchanged.join(' ') : '',
  };
}

/** Whether a report has nothing that a reviewer should read. */
function isEmpty(path) {
  if (!existsSync(path)) return false;
  const report = JSON.parse(readFileSync(path, 'utf8'));
  const { servers, diagnostics } = report;
  const hasFindings = diagnostics.some(({ severity }) => severity !== 'note');
  return servers.length > 0 && changesIn(servers).length === 0 && !hasFindings;
}

function changesIn(servers) {
  return servers.flatMap(({ integrations = [] }) =>
    integrations.flatMap((integration) => integration.changes),
  );
}

/** What the program writes is no output of a step, and nothing for later steps. */
function withoutFileCommands({
  GITHUB_OUTPUT,
  GITHUB_ENV,
  GITHUB_PATH,
  GITHUB_STATE,
  ...rest
}) {
  return rest;
}

function textOf(path = '') {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** What a report of plan, apply or diff counts; nothing where the run ended before there was one. */
function totals(path) {
  if (!existsSync(path)) return {};
  const { servers, diagnostics } = JSON.parse(readFileSync(path, 'utf8'));
  if (servers.length === 0) return {};
  const changes = changesIn(servers);
  const loosened = diagnostics.filter(({ code }) => code === 'loosened');
  return {
    changes: changes.length,
    drift: changes.filter(({ label }) => label === 'drift').length,
    outdated:
      changes.some(({ label }) => label === 'conflict') ||
      diagnostics.some(({ code }) => code === 'branch-behind'),
    // A rule that is weaker than before, or a server that is elsewhere, is a risk too.
    risks: changes.reduce(
      (sum, { risks }) => sum + risks.length,
      loosened.length,
    ),
  };
}

/** Sets outputs of the step. Nobody can guess where a value ends, so none can set another. */
function output(values) {
  for (const [name, value] of Object.entries(values)) {
    const end = randomUUID();
    appendFileSync(env.GITHUB_OUTPUT, `${name}<<${end}\n${value}\n${end}\n`);
  }
}
