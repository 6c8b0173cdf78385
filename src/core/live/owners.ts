import { optionId } from '../model/ids.ts';
import { keyOfOption } from './option.ts';
import { linked, type Resource, textAttribute } from './resource.ts';

/** The ids of integrations by the pieces between their dashes: all that begin an option's id are found on one way. */
interface Branch {
  readonly below: Map<string, Branch>;
  id?: string;
}

/**
 * Finds the integration of an option that no relationship links to: the one it names, or the only one its id fits. It takes
 * the same time however many integrations there are.
 */
export function ownerFinder(integrations: readonly Resource[]): (option: Resource) => string | undefined {
  const ids = new Set(integrations.map(({ id }) => id));
  const root: Branch = { below: new Map() };
  for (const id of ids) branchTo(root, id).id = id;
  return (option) => {
    const named = linked(option, 'integration')[0]?.id ?? textAttribute(option, 'integration-id');
    if (named !== undefined) return named;
    const key = textAttribute(option, 'key');
    const fitting = key === undefined ? beginnings(root, option) : ownersByKey(ids, option, key);
    return fitting.length === 1 ? fitting[0] : undefined;
  };
}

function branchTo(root: Branch, id: string): Branch {
  return id.split('-').reduce((branch, piece) => {
    const next = branch.below.get(piece) ?? { below: new Map() };
    branch.below.set(piece, next);
    return next;
  }, root);
}

function ownersByKey(ids: ReadonlySet<string>, option: Resource, key: string): string[] {
  const id = option.id.slice(0, Math.max(0, option.id.length - optionId('', key).length));
  return ids.has(id) && keyOfOption(id, option) !== undefined ? [id] : [];
}

/** The integrations whose ids begin the id of an option. */
function beginnings(root: Branch, option: Resource): string[] {
  const found: string[] = [];
  let branch: Branch | undefined = root;
  for (const piece of option.id.split('-')) {
    branch = branch.below.get(piece);
    // Two are as many as more: nobody can tell whose option it is.
    if (branch === undefined || found.length > 1) break;
    if (branch.id !== undefined && keyOfOption(branch.id, option) !== undefined) found.push(branch.id);
  }
  return found;
}
