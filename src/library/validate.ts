import { resolveConfig } from '../core/config/resolve.ts';
import { matchCatalog } from '../core/match/catalog.ts';
import { decodeCatalog } from '../core/match/catalog-files.ts';
import { checkFit } from '../core/plan/fit.ts';
import { type Config, openConfig } from './config.ts';
import { type Diagnostic, inWords } from './diagnostic.ts';

/** An integration's own configuration file. */
export interface CatalogDefinition {
  /** The name of its file or folder, without an extension. */
  readonly name: string;
  /** Its JSON, parsed. */
  readonly definition: unknown;
}

/** What a configuration is checked against. */
export interface ValidateOptions {
  /** The integrations that are known offline; it need not be all. */
  readonly catalog?: readonly CatalogDefinition[] | undefined;
}

/**
 * Checks a configuration offline: what `parse` found odd and, with a catalog, the keys, values and permissions that do not fit
 * its integrations. Values of references are not known, so only literals are checked. A definition that cannot be used is an
 * error, and then nothing is compared.
 */
export function validate(config: Config, options: ValidateOptions = {}): readonly Diagnostic[] {
  const { linked, warnings } = openConfig(config);
  const { catalog } = options;
  if (catalog === undefined) return inWords(warnings);
  const files = catalog.map(({ name, definition }) => ({ path: name, name, content: { json: definition } }));
  const { value: integrations, diagnostics } = decodeCatalog(files);
  if (integrations === undefined) return inWords([...warnings, ...diagnostics]);
  const {
    value: desired,
    installed,
    diagnostics: unmatched,
  } = matchCatalog(resolveConfig(linked), integrations);
  return inWords([...warnings, ...unmatched, ...checkFit(desired, installed)]);
}
