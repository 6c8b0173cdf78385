import { type LiveWish, liveSandbox } from './live-sandbox.ts';
import { ADMIN, run } from './run.ts';
import { tempFolder } from './temp.ts';

/** An option of an integration's configuration file, locked and hidden; `more` says what is different about it. */
export function option(key: string, type: string, value: unknown = '', more: object = {}) {
  return {
    key,
    name: key,
    description: '',
    default: value,
    type,
    userCanEdit: false,
    adminOnly: true,
    ...more,
  };
}

/** The configuration file of an integration with these options. */
export function configuration(...options: object[]): string {
  return JSON.stringify({ name: 'Of a test', acronym: 'T', options });
}

/** A sandbox with integrations of a test's own, by their ids, and a folder with their YAML in `a.yaml`. */
export async function ownCatalog(
  integrations: Readonly<Record<string, string>>,
  yaml: string,
  wish: LiveWish = {},
) {
  const catalog = await tempFolder(
    Object.fromEntries(Object.entries(integrations).map(([id, text]) => [`${id}.json`, text])),
  );
  const ids = Object.fromEntries(Object.keys(integrations).map((id) => [id, id]));
  const sandbox = await liveSandbox({ catalog, ids, ...wish });
  const cwd = await tempFolder({ 'a.yaml': `version: 1\nintegrations:\n${yaml.replace(/^/gm, '  ')}\n` });
  const attempt = (args: readonly string[], env: Record<string, string> = {}, url = sandbox.url) =>
    run([...args, '-f', 'a.yaml', '--url', url, '--report', 'json'], { cwd, env: { ...ADMIN, ...env } });
  return { sandbox, cwd, attempt };
}
