import { hide, reveal, type Secret } from '../model/secret.ts';

/** Variables with their texts, if known, as a dotenv file that shells load with `set -a; . FILE`. */
export function dotenvText(texts: ReadonlyMap<string, Secret<string> | undefined>): Secret<string> {
  const lines = [...texts].map(([name, text]) =>
    text === undefined ? `# ${name}=  # not shown by the server` : `${name}=${quoted(reveal(text))}`,
  );
  return hide(['# Secrets for setpoint: keep this file out of git.', ...lines, ''].join('\n'));
}

/** Single quotes, inside of which nothing has a meaning; double quotes if the text has a single one. */
function quoted(text: string): string {
  if (/^[\w./:@%+=,-]+$/.test(text)) return text;
  return text.includes("'") ? `"${text.replace(/[\\"$`]/g, '\\$&')}"` : `'${text}'`;
}

/** A variable and the field that reads it. */
export interface NeededVariable {
  readonly variable: string;
  readonly address: string;
  /** Whether the server shows its value. */
  readonly isShown: boolean;
}

const HEAD = `# What the configuration reads from the environment. Copy it to .env (which git must ignore), fill it in, then:
# set -a; . ./.env; set +a
`;

/** An `.env.example` with the variables that it lacked; the old text stays as it is. */
export function exampleText(old: string | undefined, needed: readonly NeededVariable[]): string {
  const named = new Set([...(old ?? '').matchAll(/^[#\s]*(?:export\s+)?(\w+)=/gm)].map(([, name]) => name));
  const blocks = needed
    .filter(({ variable }) => !named.has(variable))
    .map(({ variable, address }) => `\n# ${address.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')}\n${variable}=\n`);
  const start = old === undefined ? HEAD : old.replace(/[^\n]$/, '$&\n');
  return blocks.length === 0 ? (old ?? HEAD) : start + blocks.join('');
}
