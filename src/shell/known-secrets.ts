import { hasSecretForm } from '../core/config/rules/secret-form.ts';
import type { DesiredState, WrittenValue } from '../core/model/desired.ts';
import type { LiveIntegration } from '../core/model/live.ts';
import { isSecretOption } from '../core/model/secrecy.ts';
import { textsOf } from '../core/report/secret.ts';
import type { Run } from './run.ts';

/** Secrets that a server shows in clear must not come back out of an error message. */
export function rememberLiveSecrets(run: Run, live: Iterable<LiveIntegration>): readonly string[] {
  const found = [...live].flatMap(({ options }) =>
    [...options.values()].flatMap(({ key, type, value }) =>
      value.kind === 'readable' && (isSecretOption(key, type) || looksSecret(value.value))
        ? textsOf(value.value)
        : [],
    ),
  );
  for (const text of found) run.secrets.add(text);
  return found;
}

/** What is to be written into an option that holds a secret is one too, also where it stands in clear or as a fallback. */
export function rememberDesiredSecrets(
  run: Run,
  desired: DesiredState,
  live: readonly LiveIntegration[],
): readonly string[] {
  const told = new Map(live.map(({ id, options }) => [id, options]));
  const secrets = desired.integrations.flatMap(({ id, options }) =>
    options.flatMap(({ key, value, sensitive }) =>
      value !== undefined &&
      (sensitive || isSecretOption(key, told.get(id)?.get(key)?.type) || looksSecret(value.value))
        ? value.value
        : [],
    ),
  );
  const found = textsOf(secrets);
  for (const text of found) run.secrets.add(text);
  return found;
}

/** Whether a value has the form of a secret, whatever its option: what is warned of in the YAML is not shown in a plan. */
export function looksSecret(value: WrittenValue): boolean {
  return textsOf(value).some(hasSecretForm);
}
