/** The end of keys that hold secrets, for servers that do not serve the type of an option. */
const SECRET_KEY =
  /(passwords?|passphrase|secrets?|tokens?|(api|access|private|secret|shared)[-_]?keys?|credentials?)$/i;

const PLACEHOLDERS =
  /^[[(<{]?(redacted|hidden|masked|secret|protected|encrypted|unchanged|not shown)[\])>}]?$/i;

/** Whether an option holds a secret: by its type, or by its key where no type is served (hiding too much is harmless). */
export function isSecretOption(key: string, type: string | undefined): boolean {
  return type === undefined ? SECRET_KEY.test(key) : type === 'password';
}

/** Whether the text that a server gives for a secret stands in its place: stars, bullets, `sk****EA`, `[redacted]`, `xxxxxx`. */
export function isMask(text: string): boolean {
  return (
    /[*•●∙⬤█]{3,}/.test(text) ||
    /^[xX]{4,}$/.test(text) ||
    /^\.{4,}$/.test(text) ||
    PLACEHOLDERS.test(text.trim())
  );
}
