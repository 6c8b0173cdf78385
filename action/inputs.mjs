// From the inputs of the action, which come by the environment, to the arguments of setpoint.

import { posix } from 'node:path';

/** The inputs that only some commands take. */
const OWN = {
  plan: ['INPUT_BASE', 'INPUT_STRICT', 'INPUT_ALLOW_CHANGES', 'INPUT_ISSUE'],
  diff: ['INPUT_BASE', 'INPUT_STRICT'],
  apply: ['INPUT_PLAN'],
  snapshot: [],
  validate: [],
};

/** What an input holds that nobody set. */
const UNSET = { INPUT_STRICT: 'false', INPUT_ISSUE: 'false' };

/** Why the inputs make no command, in words that hold none of them; undefined where they do. */
export function wrongInput(env) {
  const { INPUT_COMMAND: command, INPUT_BASE: base } = env;
  if (!Object.hasOwn(OWN, command))
    return 'The input command is one of plan, diff, apply, snapshot and validate.';
  if (command === 'diff' && !isGiven(base))
    return 'The command diff needs the input base.';
  const foreign = Object.values(OWN)
    .flat()
    .find(
      (name) =>
        isGiven(env[name]) &&
        env[name] !== UNSET[name] &&
        !OWN[command].includes(name),
    );
  if (foreign === undefined) return undefined;
  const input = foreign.replace('INPUT_', '').replace('_', '-').toLowerCase();
  return `The command ${command} has no input ${input}.`;
}

function isGiven(value) {
  return value !== undefined && value !== '';
}

/** The arguments, each a word of its own: a value never becomes a flag. `reports` are files, by their formats. */
export function argumentsFor(env, reports) {
  const { INPUT_COMMAND: command, INPUT_BASE: base, INPUT_PLAN: plan } = env;
  const most = env.INPUT_ALLOW_CHANGES;
  const operand = command === 'diff' ? base : plan;
  return [
    command,
    ...lines(env.INPUT_CONFIG).map((path) => `--file=${path}`),
    ...lines(env.INPUT_SERVER).map((server) => `--server=${server}`),
    ...(command === 'plan' && isGiven(base) ? [`--base=${base}`] : []),
    ...(isGiven(most) ? [`--allow-changes=${most}`] : []),
    ...(env.INPUT_STRICT === 'true' ? ['--strict'] : []),
    ...(command === 'apply' ? ['--yes'] : []),
    ...Object.entries(reports).map(
      ([format, path]) => `--report=${format}=${path}`,
    ),
    ...lines(env.INPUT_ARGUMENTS),
    ...(isGiven(operand) ? ['--', operand] : []),
  ];
}

/** What tells a comment from those of other jobs with the same command; empty for one job alone. No text ends the marker. */
export function commentKey(env) {
  const {
    INPUT_COMMENT_KEY: given,
    INPUT_SERVER: servers,
    INPUT_WORKING_DIRECTORY: path = '.',
  } = env;
  // One folder has one comment, however its path is written.
  const folder = posix.normalize(path).replace(/\/$/, '');
  const parts = isGiven(given)
    ? [given]
    : [...lines(servers), ...(folder === '.' ? [] : [folder])];
  return parts.map(encodeURIComponent).join(',');
}

function lines(text = '') {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
