import { visible } from '../escape.ts';
import type { Cause } from '../model/cause.ts';
import type { Model } from '../model/model.ts';

/** What all parts of a page read. */
export interface PageContext {
  readonly model: Model;
  readonly causes: CauseIndex;
}

/** The findings of a page, by what they are about. */
interface CauseIndex {
  /** Their ids in the page. */
  readonly ids: ReadonlyMap<Cause, string>;
  readonly ofIntegration: ReadonlyMap<string, readonly Cause[]>;
  readonly ofAddress: ReadonlyMap<string, readonly Cause[]>;
}

export function contextOf(model: Model): PageContext {
  return { model, causes: causeIndexOf(model) };
}

function causeIndexOf({ findings }: Model): CauseIndex {
  const ids = new Map<Cause, string>();
  const ofIntegration = new Map<string, Cause[]>();
  const ofAddress = new Map<string, Cause[]>();
  const numbers = new Map<string, number>();
  for (const cause of findings.flatMap(({ causes }) => causes)) {
    const number = (numbers.get(cause.code) ?? 0) + 1;
    numbers.set(cause.code, number);
    const end = number === 1 ? '' : `-${number}`;
    ids.set(cause, `f-${encodeURIComponent(visible(cause.code))}${end}`);
    for (const name of cause.integrations) add(ofIntegration, name, cause);
    for (const address of cause.addresses) add(ofAddress, address, cause);
  }
  return { ids, ofIntegration, ofAddress };
}

function add(index: Map<string, Cause[]>, key: string, cause: Cause): void {
  const causes = index.get(key);
  if (causes === undefined) index.set(key, [cause]);
  else causes.push(cause);
}
