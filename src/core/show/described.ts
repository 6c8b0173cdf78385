import { baseOfId } from '../model/integration-id.ts';
import type { LiveIntegration, LiveOption } from '../model/live.ts';

/** Installed integrations with what their own configuration files say of them and their server does not. */
export function described(
  installed: readonly LiveIntegration[],
  catalog: readonly LiveIntegration[],
): readonly LiveIntegration[] {
  const byBase = new Map(catalog.map((each) => [baseOfId(each.id), each]));
  return installed.map((live) => {
    const own = byBase.get(baseOfId(live.id));
    if (own === undefined) return live;
    const options = [...live.options].map(([key, option]): [string, LiveOption] => [
      key,
      describedOption(option, own.options.get(key)),
    ]);
    const description = live.description ?? own.description;
    return { ...live, ...(description === undefined ? {} : { description }), options: new Map(options) };
  });
}

function describedOption(live: LiveOption, own: LiveOption | undefined): LiveOption {
  if (own === undefined) return live;
  const { value: _, permission: __, choices, ...about } = own;
  return { ...about, ...live, choices: live.choices.length > 0 ? live.choices : choices };
}
