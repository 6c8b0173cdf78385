import type { Codes } from './codes.ts';
import { type Explanation, inShell, PLAN, URL_FLAG, VALIDATE, withServers } from './example.ts';

const STAGING = 'https://staging.example.com';
const PRODUCTION = 'https://integrations.example.com';
const TWO = withServers({ staging: STAGING, production: PRODUCTION });

const PULL_SECRETS = `setpoint pull ${URL_FLAG} --out pulled --secrets-file secrets.env`;
const TAKE = `setpoint snapshot ${URL_FLAG} --out server.json`;
const SNAPSHOT = { commands: [TAKE, 'setpoint plan -f integrations.yaml --live server.json'] };

/** Two servers in `setpoint.yaml`, and a command that needs no connection to them. */
function servers(explanation: string, wrong: string, right: string): Explanation {
  const example = (text: string) => ({ files: { 'setpoint.yaml': text }, commands: ['setpoint validate'] });
  return inShell(explanation, example(wrong), example(right));
}

/** What is wrong with a command line, and with the files that it names. */
export const USAGE = {
  usage: inShell(
    'A flag, an argument or an environment variable is mistyped, has an unusable value, or does not go with the others. setpoint stops before it reads or sends anything. The finding never repeats a value that could be a secret.',
    { commands: [`${PLAN} --concurency 4`] },
    { commands: [`${PLAN} --concurrency 4`] },
  ),
  'no-configuration': inShell(
    'setpoint manages what files declare, and was told of none. It takes the files that are named, or those of setpoint.yaml, which it looks for from the working folder up to the root of the git work tree.',
    { commands: ['setpoint plan'] },
    { commands: [PLAN] },
  ),
  'nothing-to-show': inShell(
    'show knows integrations by the names of their entries and, with a server or a catalog, by their ids; addresses are those of plans; --uses takes named values, variables and files that the configuration refers to. The word is none of these. Compare its spelling, capitals included.',
    { commands: ['setpoint show lookup.options.timeot -f integrations.yaml'] },
    { commands: ['setpoint show lookup.options.timeout -f integrations.yaml'] },
  ),
  'unknown-server': inShell(
    '--server names a server of setpoint.yaml, or a label as name=value, and nothing there fits. setpoint never turns to all servers instead. Compare the spelling with the file.',
    { files: { 'setpoint.yaml': TWO }, commands: ['setpoint validate --server stagin'] },
    { files: { 'setpoint.yaml': TWO }, commands: ['setpoint validate --server staging'] },
  ),
  'servers-alike': servers(
    'The names of two servers become the same variables, such as SETPOINT_EU_WEST_TOKEN. The credentials of one would go to the other.',
    withServers({ 'eu-west': STAGING, eu_west: PRODUCTION }),
    withServers({ 'eu-west': STAGING, 'eu-north': PRODUCTION }),
  ),
  'same-url': servers(
    'Two servers of setpoint.yaml have one address, often because a block was copied. Each would be planned and applied with a configuration of its own, on the same integrations.',
    withServers({ staging: PRODUCTION, production: PRODUCTION }),
    TWO,
  ),
  'file-unreadable': inShell(
    'A file or folder that the command or setpoint.yaml names is missing, may not be read, is no regular file, or leads out of the git work tree. Without it the configuration could mean something else, so no server is asked.',
    { commands: ['setpoint validate integration.yaml'] },
    { commands: [VALIDATE] },
  ),
  'snapshot-unusable': inShell(
    'A file that --live names was not written by setpoint snapshot, was edited, or is of a later version. A plan against half of a server would call the rest absent, so nothing of it is taken.',
    {
      commands: ['setpoint plan -f integrations.yaml --live catalog.json'],
      files: { 'catalog.json': '{}\n' },
    },
    SNAPSHOT,
  ),
  'too-many-files': inShell(
    'A folder or glob leads to more files than any configuration has. It is likely one level too high, such as a folder with the modules of a project.',
    { situation: 'The folder holds 2,001 other YAML files.', commands: ['setpoint validate .'] },
    { commands: ['setpoint validate .'] },
  ),
  'file-too-large': inShell(
    'Files of configuration may have 2 MiB. A larger one is likely no configuration, or was generated, and reading it could hold up a pipeline.',
    { situation: 'A comment at its end makes the file 3 MiB long.', commands: [VALIDATE] },
    { commands: [VALIDATE] },
  ),
  'not-utf8': inShell(
    'The file was saved in another encoding, such as UTF-16 or Windows-1252. Its texts would reach the server with other characters. Save it as UTF-8 in your editor.',
    { situation: 'An editor saved the file as UTF-16.', commands: [VALIDATE] },
    { commands: [VALIDATE] },
  ),
  'report-refused': inShell(
    'The path of a report or a snapshot is in a folder that is missing or may not be written, or it is the place of something else, such as a link, a file of the configuration, or, for a snapshot, any file that is none. setpoint looks before it sends anything, and replaces nothing that the run reads.',
    { commands: [`${VALIDATE} --report json=integrations.yaml`] },
    { commands: [`${VALIDATE} --report json=report.json`] },
  ),
  'secrets-file-refused': inShell(
    '--secrets-file holds secrets in clear. It has to be a file that its owner alone can read and that no commit takes: outside of every git work tree, or left out by a .gitignore of the repository and not in its index. setpoint looks before it asks the server for anything.',
    { situation: 'The folder is a git repository.', commands: [PULL_SECRETS] },
    {
      situation: 'The folder is a git repository.',
      files: { '.gitignore': '*.env\n' },
      commands: [PULL_SECRETS],
    },
  ),
  'file-unwritten': inShell(
    'A new file could not be made: the disk is full, its folder may not be written, or something took its name meanwhile. No file is ever there in part, and none that was there is changed. The next run goes on where this one ended.',
    { commands: [`setpoint pull ${URL_FLAG} --out integrations.yaml`] },
    { commands: [`setpoint pull ${URL_FLAG} --out pulled`] },
  ),
  'report-unwritable': inShell(
    'The report could not be written in the end: the disk is full, or its reader has gone. After an apply the finding says what was applied, so that nothing is lost. Make room and run again: what is done is not done twice.',
    {
      situation: 'No byte more fits on the device.',
      commands: [`${VALIDATE} --report json > /dev/full`],
    },
    { commands: [`${VALIDATE} --report json > report.json`] },
  ),
  'summary-unwritable': inShell(
    'In a step of GitHub, --report github adds a page to the summary of the step, in the file that GITHUB_STEP_SUMMARY names. That file could not be written, or has no room left. Everything else is complete.',
    {
      commands: ['export GITHUB_STEP_SUMMARY=/dev/null', `${PLAN} --report github`],
    },
    { commands: ['unset GITHUB_STEP_SUMMARY', `${PLAN} --report github`] },
  ),
} satisfies Codes;
