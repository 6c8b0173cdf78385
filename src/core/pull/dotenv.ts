import { hide, reveal, type Secret } from '../model/secret.ts';

/** The texts of variables, by their names. */
export type Settings = ReadonlyMap<string, Secret<string>>;

export type Variable = { readonly variable: string; readonly text: Secret<string> };

/**
 * Variables as lines of a dotenv file, which shells load with `set -a; . FILE` and most other readers take. Nothing else may
 * hold the text.
 */
export function dotenvText(variables: readonly Variable[]): Secret<string> {
  return hide(variables.map(({ variable, text }) => `${variable}=${quoted(reveal(text))}\n`).join(''));
}

/** In single quotes, inside of which nothing has a meaning; where the text has such a quote, in double quotes. */
function quoted(text: string): string {
  if (/^[\w./:@%+=,-]+$/.test(text)) return text;
  return text.includes("'") ? `"${text.replace(/[\\"$`]/g, '\\$&')}"` : `'${text}'`;
}

/** The variables that a dotenv file sets, as a shell reads their texts; references in them are left as they are. */
export function settingsOf(dotenv: Secret<string>): Settings {
  return new Map(
    [...reveal(dotenv).matchAll(SETTING)].map(([, name = '', text = '']) => [name, hide(unquoted(text))]),
  );
}

/** A variable and its text, of pieces with and without quotes; those with quotes may have several lines. */
const SETTING =
  /^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=[ \t]*((?:'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]|[^\s'"\\])*)/gm;

function unquoted(text: string): string {
  return text.replace(/'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])/g, (_, single, double, bare) => {
    const open: string | undefined = double?.replace(/\\([\\"$`])/g, '$1');
    return single ?? open ?? bare;
  });
}

/** The variables that are not set, or to nothing: those that a person has still to fill in. */
export function unset(settings: Settings, variables: readonly Variable[]): readonly Variable[] {
  return variables.filter(({ variable }) => textIn(settings, variable) === '');
}

/** The variables that are set to another text. */
export function differing(settings: Settings, variables: readonly Variable[]): readonly string[] {
  return variables.flatMap(({ variable, text }) =>
    ['', reveal(text)].includes(textIn(settings, variable)) ? [] : [variable],
  );
}

function textIn(settings: Settings, variable: string): string {
  const text = settings.get(variable);
  return text === undefined ? '' : reveal(text);
}
