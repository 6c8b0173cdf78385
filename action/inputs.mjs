// From the inputs of the action, which come by the environment, to the arguments of setpoint.
import { relative } from 'node:path';

/** The arguments, each a word of its own: a value never becomes a flag. `reports` are files, by their formats. */
export function argumentsFor(env, reports) {
  const { INPUT_COMMAND: command, INPUT_BASE: base } = env;
  const isDiff = command === 'diff';
  const flags = {
    file: lines(env.INPUT_CONFIG),
    server: lines(env.INPUT_SERVER),
    base: isDiff ? [] : lines(base),
    'allow-changes': lines(env.INPUT_ALLOW_CHANGES),
    report: Object.entries(reports).map((report) => report.join('=')),
  };
  const words = [command];
  for (const [flag, values] of Object.entries(flags))
    words.push(...values.map((value) => `--${flag}=${value}`));
  if (env.INPUT_STRICT === 'true') words.push('--strict');
  if (command === 'apply') words.push('--yes');
  words.push(...lines(env.INPUT_ARGUMENTS));
  const operand = isDiff ? base : env.INPUT_PLAN;
  if (operand) words.push('--', operand);
  return words;
}

/** What tells a comment from those of other jobs with the same command; empty for one job alone. No text ends the marker. */
export function commentKey(env) {
  // One folder has one comment, however its path is written.
  const folder = relative('', env.INPUT_WORKING_DIRECTORY);
  const key = env.INPUT_COMMENT_KEY || `${env.INPUT_SERVER}\n${folder}`;
  return lines(key).map(encodeURIComponent).join(',');
}

function lines(text) {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
