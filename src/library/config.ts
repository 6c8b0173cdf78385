import { parseConfig } from '../core/config/config.ts';
import type { LinkedConfig } from '../core/config/link.ts';
import { diagnostic, type Diagnostic as Found } from '../core/findings/diagnostic.ts';
import { hasErrors } from '../core/findings/explain.ts';
import { type Diagnostic, inWords } from './diagnostic.ts';

/** A file of configuration. */
export interface ConfigFile {
  /** What findings and the sources of changes call it, such as its path. */
  readonly name: string;
  /** Its YAML. */
  readonly text: string;
}

/** What was parsed, and what is odd about it. */
interface Content {
  readonly linked: LinkedConfig;
  readonly warnings: readonly Found[];
}

/** A configuration without errors, as `validate` and `plan` take it; `parse` makes it. Its content is closed. */
class Config {
  readonly #content: Content;

  constructor(content: Content) {
    this.#content = content;
  }

  static open(config: Config): Content {
    return config.#content;
  }
}

export type { Config };

/** What `parse` makes of files. */
export interface ParsedConfig {
  /** Absent where a finding is an error. */
  readonly config?: Config | undefined;
  /** Everything that is wrong or odd in all files. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Parses files of configuration, without reading what they refer to. Each file is a layer, and so is each list of files, as a
 * folder would be; later layers override earlier ones field by field.
 */
export function parse(layers: readonly (ConfigFile | readonly ConfigFile[])[]): ParsedConfig {
  const sources = layers.map((layer) => [layer].flat().map(({ name, text }) => ({ path: name, text })));
  const { value, diagnostics: found } =
    sources.flat().length > 0 ? parseConfig(sources) : { diagnostics: [diagnostic('no-configuration', {})] };
  const diagnostics = inWords(found);
  if (value === undefined || hasErrors(found)) return { diagnostics };
  return { config: new Config({ linked: value, warnings: found }), diagnostics };
}

/** What a configuration holds. */
export const openConfig = Config.open;
