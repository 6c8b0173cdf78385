import { type Checked, compareText, type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { decodeDefinition, freshIntegration } from '../model/definition.ts';
import type { LiveIntegration } from '../model/live.ts';

/** An integration's own configuration file, and what it holds or why it could not be read. */
export interface CatalogFile {
  /** Its name in messages. */
  readonly path: string;
  /** What the id of the integration is made of. */
  readonly name: string;
  readonly content: { readonly json: unknown } | { readonly reason: string; readonly hint?: string };
}

interface Definition {
  readonly path: string;
  readonly integration: LiveIntegration;
}

/** The integrations of a catalog as they would be installed, ordered by id, or a finding for each file that cannot be used. */
export function decodeCatalog(files: readonly CatalogFile[]): Checked<readonly LiveIntegration[]> {
  const read = files.map(decodeFile);
  const found = read.flatMap((each) => ('integration' in each ? [each] : []));
  const problems = read.flatMap((each) => ('code' in each ? [each] : []));
  const diagnostics = [...problems, ...repeated(found)];
  if (diagnostics.length > 0) return { diagnostics };
  const value = found.map(({ integration }) => integration).sort((a, b) => compareText(a.id, b.id));
  return { value, diagnostics };
}

function decodeFile({ path, name, content }: CatalogFile): Definition | Diagnostic {
  if ('reason' in content) return unusable(path, content.reason, content.hint);
  const definition = decodeDefinition(content.json);
  if ('problem' in definition) return unusable(path, definition.problem);
  return { path, integration: freshIntegration(name, definition) };
}

/** Finds two files whose names make one id, such as `a.json` and `a/config/config.json`. */
function repeated(definitions: readonly Definition[]): Diagnostic[] {
  const first = new Map<string, string>();
  return definitions.flatMap(({ path, integration: { id } }) => {
    const other = first.get(id);
    first.set(id, other ?? path);
    return other === undefined ? [] : [unusable(path, `its name gives the same id as ${other}`)];
  });
}

function unusable(path: string, problem: string, hint?: string): Diagnostic {
  return diagnostic(
    'file-unreadable',
    {
      path,
      reason: problem,
      hint: hint ?? 'A catalog holds the configuration files of integrations, as they are installed.',
    },
    { file: path, line: 1, column: 1 },
  );
}
