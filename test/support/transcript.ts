import { liveSandbox } from './live-sandbox.ts';
import { ADMIN, run } from './run.ts';
import { tempFolder, writeFiles } from './temp.ts';

const FILE = /```(?:yaml|json) (\S+)\n([\s\S]*?)```/g;
const CONSOLE = /```console\n\$ setpoint (.*)\n([\s\S]*?)```/g;

/** A server in a transcript: `SERVER` stands for its address, and these are the settings of its sandbox, as JSON. */
const SANDBOX = /```sandbox\n([\s\S]*?)```/;

/** The address that a transcript shows in place of that of its sandbox. */
const SHOWN = 'localhost:4010';

/**
 * A transcript as it would be written today: the text around the commands as it is, the output of each command anew, one
 * after the other, as on a terminal of 80 columns without colours. The files of all sections before a command are there
 * when it runs; `<<< yes` at its end is the answer to its question.
 */
export async function replayed(markdown: string): Promise<string> {
  const settings = SANDBOX.exec(markdown)?.[1];
  const url = settings === undefined ? '' : (await liveSandbox(JSON.parse(settings))).url;
  const cwd = await tempFolder();
  const pieces: string[] = [];
  const read = { to: 0 };
  for (const { 0: block, 1: command = '', index } of markdown.matchAll(CONSOLE)) {
    const files = [...markdown.slice(0, index).matchAll(FILE)].map(([, path = '', text = '']) => [
      path,
      text,
    ]);
    await writeFiles(cwd, Object.fromEntries(files));
    pieces.push(markdown.slice(read.to, index), await printed(cwd, command, url));
    read.to = index + block.length;
  }
  return [...pieces, markdown.slice(read.to)].join('');
}

async function printed(cwd: string, command: string, url: string): Promise<string> {
  const [line = '', answer] = command.split(' <<< ');
  const args = line.replaceAll('SERVER', url).split(' ');
  const env = { ...ADMIN, NO_COLOR: '1', SETPOINT_KEY: 'k-12345678' };
  const asked = answer === undefined ? {} : { answer };
  const { code, screen } = await run(args, { cwd, env, isTTY: true, columns: 80, ...asked });
  // Without the status line, which comes and goes.
  const still = screen.replaceAll(/\r\u001b\[K(?:[^\r\n]*(?=\r\u001b\[K))?/g, '');
  const typed = still.replace(/Type yes: /, `$&${answer ?? ''}\n`);
  const told = url === '' ? typed : typed.replaceAll(new URL(url).host, SHOWN);
  return `\`\`\`console\n$ setpoint ${command}\n${told}[exit ${code}]\n\`\`\``;
}
