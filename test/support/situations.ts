import { appendFile, chmod, copyFile, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { faultyProxy, type Seen } from './fault-proxy.ts';
import { type Fault, withBody } from './faults.ts';
import { gitRepository } from './git-repository.ts';
import { type LiveWish, liveSandbox } from './live-sandbox.ts';
import { configuration, option } from './own-catalog.ts';
import { ADMIN, type RunWish } from './run.ts';
import { tempFolder, writeFiles } from './temp.ts';
import { pem, secured } from './tls.ts';

/** What the situation of an example brings about: a server, what is done once its files are there, and what the run meets. */
interface Made {
  readonly url?: string;
  readonly prepare?: () => Promise<void>;
  readonly wish?: RunWish;
}

const TYPE = { 'content-type': 'application/vnd.api+json' };
const BROKEN: Fault = { status: 500 };

/** A server, and what goes wrong on the way to it. */
async function faulty(fault: (seen: Seen) => Fault | undefined, wish: LiveWish = {}): Promise<Made> {
  const sandbox = await liveSandbox(wish);
  return { url: (await faultyProxy(sandbox.url, fault)).url };
}

/** The same of the list of integrations alone. */
const listing = (fault: Fault, wish?: LiveWish) =>
  faulty(({ method, path }) => (method === 'GET' && path === '/api/integrations' ? fault : undefined), wish);

/** A server with integrations of our own, by their ids. */
async function installed(integrations: Readonly<Record<string, string>>): Promise<Made> {
  const names = Object.keys(integrations);
  const files = names.map((name) => [`${name}.json`, integrations[name]]);
  const ids = Object.fromEntries(names.map((name) => [name, name]));
  const { url } = await liveSandbox({ catalog: await tempFolder(Object.fromEntries(files)), ids });
  return { url };
}

/** Changes the file of the configuration once it is there. */
function edited(cwd: string, edit: (text: string) => string | Buffer): Made {
  const path = join(cwd, 'integrations.yaml');
  return { prepare: async () => writeFile(path, edit(await readFile(path, 'utf8'))) };
}

/** A repository whose branch main has the file as it is, or as `change` makes it; null for none. */
function committed(cwd: string, change: (now: string) => string | null = (now) => now, path = FILE): Made {
  return {
    prepare: async () => {
      await rm(join(cwd, '.git'), { recursive: true });
      const now = await readFile(join(cwd, path), 'utf8');
      const { write } = await gitRepository({ [path]: change(now) }, cwd);
      await write({ [path]: now });
    },
    wish: WITH_GIT,
  };
}

/** A repository whose objects have no content. */
function damaged(cwd: string): Made {
  const made = committed(cwd);
  const prepare = async () => {
    await made.prepare?.();
    const objects = join(cwd, '.git', 'objects');
    const names = await readdir(objects, { recursive: true, withFileTypes: true });
    const paths = names.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name));
    await Promise.all(paths.map((path) => chmod(path, 0o600).then(() => writeFile(path, ''))));
  };
  return { ...made, prepare };
}

const FILE = 'integrations.yaml';
const WITH_GIT = { env: { ...ADMIN, PATH: process.env['PATH'] ?? '' } };

/** An integration under another id. */
const odd = withBody((body) => {
  const document = JSON.parse(body) as { data: { id: string; attributes: object }[] };
  const [first] = document.data;
  if (first !== undefined)
    Object.assign(first, { id: 'a/b', attributes: { ...first.attributes, name: 'Odd' } });
  return JSON.stringify(document);
});

/** How each situation that an example tells comes about; the words are those of the example. */
export const SITUATIONS: Readonly<Record<string, (cwd: string) => Made | Promise<Made>>> = {
  'The list has 100,001 items.': (cwd) =>
    edited(cwd, (text) => text.replace('[a, a, a]', `[${'a,'.repeat(100_001)}]`)),
  'It goes on to v5001.': (cwd) =>
    edited(
      cwd,
      (text) => text + Array.from({ length: 4_999 }, (_, index) => `  v${index + 3}: more\n`).join(''),
    ),
  'The folder holds 2,001 other YAML files.': (cwd) => ({
    prepare: () =>
      writeFiles(
        cwd,
        Object.fromEntries(
          Array.from({ length: 2_001 }, (_, index) => [`other/${index}.yaml`, 'version: 1\n']),
        ),
      ),
  }),
  'A comment at its end makes the file 3 MiB long.': (cwd) => ({
    prepare: () => appendFile(join(cwd, 'integrations.yaml'), `#${' '.repeat(3 * 1024 * 1024)}\n`),
  }),
  'An editor saved the file as UTF-16.': (cwd) =>
    edited(cwd, (text) => Buffer.from(`\ufeff${text}`, 'utf16le')),
  'No byte more fits on the device.': () => ({}),
  'The option b-c of a and the option c of a-b share the id a-b-c.': () =>
    installed({
      a: configuration(option('b-c', 'text'), option('d', 'text')),
      'a-b': configuration(option('c', 'text')),
    }),
  'Twelve installed integrations have such an option.': () =>
    installed(
      Object.fromEntries(
        Array.from({ length: 12 }, (_, index) => [
          `unit${index}`,
          configuration(option('timeout', 'number', 10)),
        ]),
      ),
    ),
  'The server has a certificate of your own authority.': async (cwd) => ({
    url: (await secured('good')).url,
    prepare: () => copyFile(pem('authority'), join(cwd, 'authority.pem')),
  }),
  'The server takes a second for each list.': () => listing('silence'),
  'The server asks for a wait of five minutes.': () =>
    listing({ status: 429, headers: { 'retry-after': '300' } }),
  'The server has moved and answers 301.': () =>
    listing({ status: 301, headers: { location: 'http://127.0.0.1:1/' } }),
  'The server answers 500 to each list.': () => listing(BROKEN),
  'A proxy answers with its own page.': () =>
    listing({ status: 200, headers: { 'content-type': 'text/html' }, body: '<html></html>' }),
  'A proxy cuts answers off.': () => listing({ status: 200, headers: TYPE, body: '{"data": [' }),
  'The server lists an integration named Odd under the id a/b.': () =>
    listing(odd, { settings: { dialect: 'detail' } }),
  'The list of integrations never ends.': () => listing('flood'),
  'The server lists nothing, and tells no total.': () =>
    listing({ status: 200, headers: TYPE, body: '{"data": []}' }),
  'The server fails at the logout.': () =>
    faulty(({ path }) => (path === '/api/users/logout' ? BROKEN : undefined)),
  'The branch main has the same file.': (cwd) => committed(cwd),
  'The folder is a git repository.': (cwd) => committed(cwd),
  'The file of main is broken.': (cwd) => committed(cwd, () => 'version: 1\nintegrations: [\n'),
  'The file is new on this branch.': (cwd) => committed(cwd, () => null),
  'The branch main has another server too.': (cwd) =>
    committed(
      cwd,
      (now) => `${now}  staging: { url: "https://staging.example.com", config: [integrations.yaml] }\n`,
      'setpoint.yaml',
    ),
  'An object of the repository is damaged.': (cwd) => damaged(cwd),
  'The folder is in no repository.': (cwd) => ({
    prepare: () => rm(join(cwd, '.git'), { recursive: true }),
    wish: WITH_GIT,
  }),
  'git is not installed.': (cwd) => ({
    ...committed(cwd),
    wish: { env: { ...ADMIN, PATH: '/nonexistent' } },
  }),
  'You answer no.': () => ({ wish: { answer: 'no' } }),
  'You answer yes.': () => ({ wish: { answer: 'yes' } }),
  'Somebody saves the file before you answer yes.': (cwd) => ({
    wish: {
      answer: async () => {
        await appendFile(join(cwd, FILE), '# saved\n');
        return 'yes';
      },
    },
  }),
  'The name of the file is so long that no draft can lie beside it.': (cwd) => ({
    prepare: () => rename(join(cwd, FILE), join(cwd, `${'x'.repeat(240)}.yaml`)),
  }),
  'It runs in a pipeline.': () => ({ wish: { isTTY: false } }),
  'The connection breaks after the change.': () =>
    faulty(({ kind }) => (kind === 'read back' ? 'reset' : undefined)),
  'The server accepts changes, and keeps none.': () =>
    faulty(({ method }) => (method === 'PATCH' ? { status: 204 } : undefined)),
  'The account may not read integration errors.': () =>
    faulty(({ path }) => (path === '/api/integrations/errors' ? { status: 403 } : undefined)),
  'The list of errors fails after the change.': () =>
    faulty(({ path, before }) => (path === '/api/integrations/errors' && before > 0 ? BROKEN : undefined)),
  'You press Ctrl-C while it reads.': async () => {
    const held: { end?: () => void } = {};
    const made = await faulty(({ path }) => {
      if (path !== '/api/integrations') return undefined;
      held.end?.();
      return 'silence';
    });
    const onStart: RunWish['onStart'] = (signal) => {
      held.end = () => signal('SIGINT');
    };
    return { ...made, wish: { onStart } };
  },
};
