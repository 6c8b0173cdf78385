import { run } from './run.ts';
import { tempFolder } from './temp.ts';

/** One section of a transcript: its heading, the files it needs, and a command with what it printed. */
interface Section {
  readonly files: Readonly<Record<string, string>>;
  readonly args: readonly string[];
}

const FILE = /```yaml (\S+)\n([\s\S]*?)```/g;
const CONSOLE = /```console\n\$ setpoint (.*)\n([\s\S]*?)```/g;

/**
 * A transcript as it would be written today: the text around the commands as it is, the output of each command anew. The
 * files of all sections before a command are there when it runs, as on a terminal of 80 columns without colours.
 */
export async function replayed(markdown: string): Promise<string> {
  const parts = await Promise.all(
    [...markdown.matchAll(CONSOLE)].map(async ({ 0: block, 1: command = '', index }) => {
      const files = Object.fromEntries(
        [...markdown.slice(0, index).matchAll(FILE)].map(([, path = '', text = '']) => [path, text]),
      );
      return { block, index, fresh: await printed({ files, args: command.split(' ') }) };
    }),
  );
  return parts.reduceRight(
    (text, { block, index, fresh }) => text.slice(0, index) + fresh + text.slice(index + block.length),
    markdown,
  );
}

async function printed({ files, args }: Section): Promise<string> {
  const cwd = await tempFolder(files);
  const { code, stdout, stderr } = await run(args, { cwd, env: { NO_COLOR: '1' }, isTTY: true, columns: 80 });
  return `\`\`\`console\n$ setpoint ${args.join(' ')}\n${stdout}${stderr}[exit ${code}]\n\`\`\``;
}
