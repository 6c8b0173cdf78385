import { Command, Option } from '@commander-js/extra-typings';
import { isCostlyGlob } from '../core/model/glob.ts';
import { isRisk, RISK_NAMES } from '../core/plan/risk.ts';
import { FORMATS } from '../core/report/formats.ts';
import { failUsage, failWord } from './failure.ts';

/** Takes the exit code of a command. */
export type Done = (code: number) => void;

/** The examples at the end of a command's help. */
export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`;
}

/** Gathers the values of an option that may be given several times, each checked. */
export function several(check: (value: string) => string = (value) => value) {
  return (value: string, all: string[] | undefined) => [...(all ?? []), check(value)];
}

/** A list in one word, which may be given several times. */
function commaSeparated(value: string, all: string[] | undefined): string[] {
  return [...(all ?? []), ...value.split(',').filter((part) => part !== '')];
}

/** A text that is not empty: an empty glob is a shell variable that was not set. */
export function someText(flag: string) {
  return (value: string): string => (value === '' ? failUsage(`${flag} has an empty value.`) : value);
}

/** A glob that matches quickly. */
export function someGlob(flag: string) {
  return (value: string): string => {
    if (isCostlyGlob(value)) failUsage(`The glob of ${flag} has too many wildcards.`);
    return someText(flag)(value);
  };
}

/** A number within limits. A limit below 1 allows fractions. */
export function number(name: string, least: number, most: number) {
  return (value: string): number => {
    const pattern = least > 0 && least < 1 ? /^\d+(\.\d+)?$/ : /^\d+$/;
    const parsed = pattern.test(value) ? Number(value) : Number.NaN;
    if (parsed >= least && parsed <= most) return parsed;
    return failUsage(`${name} takes a number from ${least} to ${most}.`);
  };
}

/** The name of a risk. */
export function knownRisk(value: string): string {
  return isRisk(value) ? value : failWord('--allow does not know the risk', value, RISK_NAMES, 'Risks');
}

const REPORT_HELP = `${FORMATS.replace(/, (\w+)$/, ' or $1')}, to stdout or a file; repeatable`;

/** A command that reports, with examples for its help. */
export function reporting(name: string, description: string, ...lines: readonly string[]) {
  return new Command(name)
    .description(description)
    .option('--report <FORMAT[=FILE]>', REPORT_HELP, several())
    .addOption(new Option('--color <WHEN>', 'colours').choices(['auto', 'always', 'never'] as const))
    .option('-q, --quiet', 'no progress, no warnings')
    .option('-v, --verbose', 'also requests and notes')
    .option('--deadline <SECONDS>', 'limit for the run (1800)', number('--deadline', 0.1, 86_400))
    .addHelpText('after', lines.length === 0 ? '' : examples(...lines));
}

/** The flag that narrows a command to some servers of the project. */
export const SERVER_OPTION = [
  '--server <NAME>',
  'server of setpoint.yaml, or label=value; repeatable',
] as const;

/** A command that also speaks to a server. */
export function connecting(name: string, description: string, ...lines: readonly string[]) {
  return reporting(name, description, ...lines)
    .option('--url <URL>', 'address of the server')
    .option(...SERVER_OPTION, several())
    .option('--timeout <SECONDS>', 'limit for one request (30; PATCH 60)', number('--timeout', 0.1, 3600))
    .option('--concurrency <N>', 'requests at a time (8)', number('--concurrency', 1, 64))
    .option('--ca-file <FILE>', 'PEM file of a certificate authority to trust')
    .option('--insecure', 'do not verify the certificate of the server');
}

/** The flag that names the configuration. */
export const FILE_OPTION = [
  '-f, --file <PATH>',
  'configuration file or folder; later ones override',
] as const;

/** The flag that names integrations' own configuration files. */
export const CATALOG_OPTION = [
  '--catalog <DIR>',
  "folder of integrations' configuration files (*.json)",
] as const;

/** The flag that puts snapshots in the place of servers. */
export const LIVE_OPTION = ['--live <FILE>', 'a snapshot in place of the server; repeatable'] as const;

/** The flag for environment variables with other names than ours. */
export const ALLOW_ENV_OPTION = [
  '--allow-env <GLOB>',
  'let ${env:} read names other than SETPOINT_*',
] as const;

/** The flag for text that leaves nothing out. */
export const FULL_OPTION = ['--full', 'show each change by itself, and values in full'] as const;

/** A command that also compares a configuration with a server. */
export function comparing(name: string, description: string, ...lines: readonly string[]) {
  return connecting(name, description, ...lines)
    .option(...FILE_OPTION, several())
    .option('--only <GLOB>', 'only integrations whose name or id matches', someGlob('--only'))
    .option('--base <REF>', 'git ref to compare with: whose change is it?')
    .option('--hides-secrets', 'the server shows every secret as empty')
    .option(...ALLOW_ENV_OPTION, several(someGlob('--allow-env')));
}

/** A command that also chooses what to write that the server does not show. */
export function planning(name: string, description: string, ...lines: readonly string[]) {
  return comparing(name, description, ...lines).option(
    '--write-hidden <WHICH>',
    'write what the server hides: all, or ADDRESS,…',
    commaSeparated,
  );
}
