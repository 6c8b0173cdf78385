/** Files and command lines as a person would write them. */
export interface Example {
  /** What is so on the server, the network or the machine, where neither a file nor a command shows it. */
  readonly situation?: string;
  /** Texts by their paths. */
  readonly files: Readonly<Record<string, string>>;
  /** Lines for a shell, one after the other; the last one shows the finding, or that it is gone. */
  readonly commands: readonly string[];
}

/** What there is to say about a code beside its entry in the catalogue. */
export interface Explanation {
  /** What it means, why setpoint minds, and what to do where the hint of the entry does not say it. */
  readonly explanation: string;
  /** Leads to a finding of this code. */
  readonly wrong: Example;
  /** The same without it. */
  readonly right: Example;
  /** Why no test runs the examples; absent where one does. */
  readonly unproven?: string;
}

/** A file of configuration with these options of one entry. */
export function withOptions(options: string): string {
  return `version: 1\nintegrations:\n  lookup:\n    match: threat_lookup_*\n    options:\n${indented(options, 6)}`;
}

/** A file of configuration with these entries. */
export function withEntries(entries: string): string {
  return `version: 1\nintegrations:\n${indented(entries, 2)}`;
}

/** A `setpoint.yaml` with servers by their names, all with one file of configuration, and other lines at its end. */
export function withServers(urls: Readonly<Record<string, string>>, ...more: readonly string[]): string {
  const servers = Object.entries(urls).map(
    ([name, url]) => `${name}:\n  url: ${url}\n  config: [integrations.yaml]`,
  );
  return `version: 1\nservers:\n${indented(servers.join('\n'), 2)}${more.map((line) => `${line}\n`).join('')}`;
}

function indented(text: string, by: number): string {
  return `${text.replace(/^(?=.)/gm, ' '.repeat(by))}\n`;
}

/** The address of the sandbox, as it says itself. */
export const URL_FLAG = '--url http://localhost:4010';
const TARGET = `integrations.yaml ${URL_FLAG}`;
export const VALIDATE = 'setpoint validate integrations.yaml';
export const PLAN = `setpoint plan ${TARGET}`;
export const APPLY = `setpoint apply -f ${TARGET} --yes`;

/** An explanation by two files of configuration that `validate` reads. */
export function inFile(explanation: string, wrong: string, right: string): Explanation {
  const read = (text: string) => ({ files: { 'integrations.yaml': text }, commands: [VALIDATE] });
  return { explanation, wrong: read(wrong), right: read(right) };
}

/** An example of a command line; what is left out is the usual configuration and its plan. */
interface Lines extends Partial<Omit<Example, 'files'>> {
  /** The text of `integrations.yaml`; it is shown where one of the two examples has it. */
  readonly yaml?: string;
  /** Files beside it. */
  readonly files?: Example['files'];
}

/** The `integrations.yaml` of examples that do not show it. */
export const USUAL = withOptions('timeout: 30');

/** An explanation by two command lines. */
export function inShell(explanation: string, wrong: Lines, right: Lines): Explanation {
  const isUsual = wrong.yaml === undefined && right.yaml === undefined;
  const usual = isUsual ? {} : { 'integrations.yaml': USUAL };
  return { explanation, wrong: exampleOf(wrong, usual), right: exampleOf(right, usual) };
}

function exampleOf(
  { yaml, files = {}, commands = [PLAN], ...situation }: Lines,
  usual: Example['files'],
): Example {
  const own = yaml === undefined ? usual : { 'integrations.yaml': yaml };
  return {
    ...situation,
    files: { ...own, ...files },
    commands: commands.map((command) => folded(command)),
  };
}

/** The most characters of a line, so that it fits on a terminal with what is in front. */
const LONGEST = 76;

/** A command line in several, each but the last ending in a backslash; it is broken before its flags. */
function folded(command: string): string {
  const [first = '', ...flags] = command.split(/ (?=--?[a-z])/);
  const lines = [first];
  for (const flag of flags) {
    const longer = `${lines.at(-1)} ${flag}`;
    if (longer.length <= LONGEST - 2) lines.splice(-1, 1, longer);
    else lines.push(`  ${flag}`);
  }
  return lines.join(' \\\n');
}
