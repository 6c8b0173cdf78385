import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { at, listAt } from './at.ts';

const require = createRequire(import.meta.url);

/** What an editor shows of one file: `‸` in a text marks where the cursor is. */
export interface Editor {
  /** The labels that are offered at the cursor, with what explains each. */
  complete(text: string): Promise<ReadonlyMap<string, string>>;
  /** What is shown over the word at the cursor. */
  hover(text: string): Promise<string>;
  /** Each mark as `line:column text`, in the order of their places. */
  marks(text: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** An editor of YAML files beside a schema, by a real yaml-language-server; the caller closes it. */
export async function editorWith(schema: unknown): Promise<Editor> {
  const folder = await mkdtemp(join(tmpdir(), 'setpoint-editor-'));
  await writeFile(join(folder, 'schema.json'), JSON.stringify(schema));
  const client = new Client();
  await client.start();
  const opened = { count: 0 };
  const open = async (marked: string) => {
    const text = `# yaml-language-server: $schema=schema.json\n${marked.replace('‸', '')}`;
    const path = join(folder, `${++opened.count}.yaml`);
    await writeFile(path, text);
    const uri = pathToFileURL(path).href;
    client.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text } });
    const before = marked.slice(0, marked.indexOf('‸')).split('\n');
    const position = { line: before.length, character: before.at(-1)?.length ?? 0 };
    return { uri, cursor: { textDocument: { uri }, position } };
  };
  return {
    complete: async (text) => {
      const items = listAt(await client.ask('textDocument/completion', (await open(text)).cursor), 'items');
      return new Map(items.map((item) => [String(at(item, 'label')), textOf(at(item, 'documentation'))]));
    },
    hover: async (text) =>
      textOf(at(await client.ask('textDocument/hover', (await open(text)).cursor), 'contents')),
    marks: async (text) => client.marks((await open(text)).uri),
    close: async () => {
      await client.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function textOf(content: unknown): string {
  return String(at(content, 'value') ?? content ?? '');
}

/** The few messages of the Language Server Protocol that an editor needs. */
class Client {
  readonly #child: ChildProcess;
  readonly #answers = new Map<number, (result: unknown) => void>();
  readonly #marked = new Map<string, readonly unknown[]>();
  readonly #awaited = new Map<string, (marks: readonly unknown[]) => void>();
  #asked = 0;
  #buffer = Buffer.alloc(0);

  constructor() {
    const server = require.resolve('yaml-language-server/bin/yaml-language-server');
    this.#child = spawn(process.execPath, [server, '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] });
    this.#child.stdout?.on('data', (chunk: Buffer) => {
      this.#buffer = Buffer.concat([this.#buffer, chunk]);
      for (let message = this.#next(); message !== undefined; message = this.#next()) this.#receive(message);
    });
  }

  async start(): Promise<void> {
    const textDocument = { completion: { completionItem: { snippetSupport: true } } };
    const capabilities = { workspace: { configuration: true }, textDocument };
    await this.ask('initialize', { processId: null, rootUri: null, capabilities });
    this.notify('initialized', {});
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill();
    await ended;
  }

  ask(method: string, params: unknown): Promise<unknown> {
    const id = ++this.#asked;
    return new Promise((resolve) => {
      this.#answers.set(id, resolve);
      this.#send({ id, method, params });
    });
  }

  notify(method: string, params: unknown): void {
    this.#send({ method, params });
  }

  /** The marks of an open file, once the server has published them. */
  async marks(uri: string): Promise<readonly string[]> {
    const published =
      this.#marked.get(uri) ??
      (await new Promise<readonly unknown[]>((resolve) => this.#awaited.set(uri, resolve)));
    return published
      .map((mark) => ({
        line: Number(at(mark, 'range', 'start', 'line')) + 1,
        column: Number(at(mark, 'range', 'start', 'character')) + 1,
        message: String(at(mark, 'message')),
      }))
      .sort((a, b) => a.line - b.line || a.column - b.column)
      .map(({ line, column, message }) => `${line}:${column} ${message}`);
  }

  #send(message: object): void {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.#child.stdin?.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  #next(): unknown {
    const end = this.#buffer.indexOf('\r\n\r\n');
    const length = Number(
      /Content-Length: (\d+)/.exec(this.#buffer.toString('latin1', 0, Math.max(0, end)))?.[1],
    );
    const whole = end + 4 + length;
    if (end < 0 || this.#buffer.length < whole) return undefined;
    const message: unknown = JSON.parse(this.#buffer.toString('utf8', end + 4, whole));
    this.#buffer = this.#buffer.subarray(whole);
    return message;
  }

  #receive(message: unknown): void {
    const id = at(message, 'id');
    const method = at(message, 'method');
    if (method === undefined) this.#answers.get(Number(id))?.(at(message, 'result'));
    else if (method === 'textDocument/publishDiagnostics') this.#publish(at(message, 'params'));
    else if (id !== undefined) this.#send({ id, result: configurationFor(message) });
  }

  #publish(params: unknown): void {
    const uri = String(at(params, 'uri'));
    const marks = listAt(params, 'diagnostics');
    this.#marked.set(uri, marks);
    this.#awaited.get(uri)?.(marks);
  }
}

/** Answers what the server asks of the editor: its settings; nothing of anything else. */
function configurationFor(message: unknown): unknown {
  if (at(message, 'method') !== 'workspace/configuration') return null;
  const yaml = { validate: true, hover: true, completion: true, schemaStore: { enable: false } };
  return listAt(message, 'params', 'items').map((item) => (at(item, 'section') === 'yaml' ? yaml : {}));
}
