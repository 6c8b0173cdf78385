// Runs setpoint as the inputs say, and tells later steps what came of it. No shell sees an input.
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { argumentsFor } from './inputs.mjs';

const { env } = process;
/** How a plan ends whose apply is not refused. */
const APPLICABLE = [0, 2, 3];

const folder = mkdtempSync(join(env.RUNNER_TEMP, 'setpoint-'));
const reports = { json: join(folder, 'report.json') };
if (env.INPUT_COMMAND !== 'snapshot') {
  reports.github = join(folder, 'annotations.txt');
  reports.markdown = join(folder, 'report.md');
}
// By its path: PATH may lead into the workspace.
const words = [env.PROGRAM_FILE, ...argumentsFor(env, reports)];
const { status } = spawnSync(process.execPath, words, {
  stdio: 'inherit',
  // What the program writes is no output of a step, and nothing for later steps.
  env: {
    ...env,
    GITHUB_OUTPUT: undefined,
    GITHUB_ENV: undefined,
    GITHUB_PATH: undefined,
    GITHUB_STATE: undefined,
  },
});
const code = status ?? 1;
if (env.INPUT_SUMMARY === 'true') {
  process.stdout.write(textOf(reports.github));
  appendFileSync(env.GITHUB_STEP_SUMMARY, textOf(reports.markdown));
}
const found = { 'exit-code': code, reports: folder, ...findingsIn() };
for (const [name, value] of Object.entries(found)) {
  // Nobody can guess where a value ends, so none can set another output.
  const end = randomUUID();
  appendFileSync(env.GITHUB_OUTPUT, `${name}<<${end}\n${value}\n${end}\n`);
}
process.exitCode = code;

/** What the report counts; nothing if the run ended before it saw a server. */
function findingsIn() {
  const text = textOf(reports.json) || '{"servers":[]}';
  const { servers, diagnostics } = JSON.parse(text);
  if (servers.length === 0) return {};
  const changes = servers
    .flatMap(({ integrations = [] }) => integrations)
    .flatMap((integration) => integration.changes);
  const labels = changes.map(({ label }) => label);
  const codes = diagnostics.map((finding) => finding.code);
  const changed = [];
  const unchanged = [];
  for (const { name, summary } of servers)
    (summary.changes > 0 ? changed : unchanged).push(name);
  return {
    changes: changes.length,
    drift: labels.filter((label) => label === 'drift').length,
    outdated: labels.includes('conflict') || codes.includes('branch-behind'),
    // A rule that is weaker than before, or a server that is elsewhere, is a risk too.
    risks:
      changes.flatMap(({ risks }) => risks).length +
      codes.filter((name) => name === 'loosened').length,
    servers: JSON.stringify(APPLICABLE.includes(code) ? changed : []),
    unchanged: code === 0 || code === 2 ? unchanged.join(' ') : '',
  };
}

function textOf(path = '') {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}
