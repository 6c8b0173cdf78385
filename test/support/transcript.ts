import { liveSandbox } from './live-sandbox.ts';
import { run } from './run.ts';
import { tempFolder } from './temp.ts';

/** One section of a transcript: the files it needs, and a command with its environment. */
interface Section {
  readonly files: Readonly<Record<string, string>>;
  /** Assignments, as a shell takes them before a command. */
  readonly assignments: string;
  readonly args: string;
}

/** The address that transcripts have for the sandbox; it is as long as that of any sandbox. */
const SANDBOX = '127.0.0.1:40100';

const FILE = /```yaml (\S+)\n([\s\S]*?)```/g;
const CONSOLE = /```console\n\$ ((?:[A-Z_]+=\S+ )*)setpoint (.*)\n([\s\S]*?)```/g;

/**
 * A transcript as it would be written today: the text around the commands as it is, the output of each command anew. The
 * files of all sections before a command are there when it runs, as on a terminal of 80 columns without colours.
 */
export async function replayed(markdown: string): Promise<string> {
  const host = markdown.includes(SANDBOX) ? new URL((await liveSandbox()).url).host : SANDBOX;
  const parts = await Promise.all(
    [...markdown.matchAll(CONSOLE)].map(async ({ 0: block, 1: assignments = '', 2: args = '', index }) => {
      const files = Object.fromEntries(
        [...markdown.slice(0, index).matchAll(FILE)].map(([, path = '', text = '']) => [path, text]),
      );
      return { block, index, fresh: await printed({ files, assignments, args }, host) };
    }),
  );
  return parts.reduceRight(
    (text, { block, index, fresh }) => text.slice(0, index) + fresh + text.slice(index + block.length),
    markdown,
  );
}

async function printed({ files, assignments, args }: Section, host: string): Promise<string> {
  const here = (text: string) => text.replaceAll(SANDBOX, host);
  const there = (text: string) => text.replaceAll(host, SANDBOX);
  const cwd = await tempFolder(
    Object.fromEntries(Object.entries(files).map(([path, text]) => [path, here(text)])),
  );
  const set = assignments
    .trim()
    .split(' ')
    .filter((each) => each !== '');
  const env = Object.fromEntries(
    set.map((each): [string, string] => {
      const [name = '', ...rest] = each.split('=');
      return [name, rest.join('=')];
    }),
  );
  const wish = { cwd, env: { ...env, NO_COLOR: '1' }, isTTY: true, columns: 80 };
  const { code, stdout, stderr } = await run(here(args).split(' '), wish);
  return `\`\`\`console\n$ ${assignments}setpoint ${args}\n${there(stdout)}${there(stderr)}[exit ${code}]\n\`\`\``;
}
