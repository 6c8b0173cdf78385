import { createHash } from 'node:crypto';
import { globMatcher } from '../core/model/glob.ts';
import { baseOfId } from '../core/model/ids.ts';
import type { LiveIntegration, LiveOption } from '../core/model/live.ts';
import { type LivePermission, PERMISSIONS } from '../core/model/permission.ts';
import { contentOf } from '../core/model/side.ts';
import { SandboxError } from './refusal.ts';
import type { CatalogOptions } from './service.ts';
import type { Integration, Option, OptionFlags } from './store.ts';

/**
 * Installs integrations by their definitions: those that globs on ids or names
 * call stopped are not running, the upgraded ones have the id of their
 * next version.
 */
export function installAll({
  catalog,
  stopped = [],
  upgraded = [],
}: CatalogOptions): Integration[] {
  const resting = new Set(stopped.flatMap((glob) => meantBy(glob, catalog)));
  const renewed = new Set(upgraded.flatMap((glob) => meantBy(glob, catalog)));
  return catalog.map((definition) => {
    const { name = definition.id, acronym = '', description = '' } = definition;
    const id = installedId(definition.id);
    const isRenewed = renewed.has(definition);
    const status = resting.has(definition) ? 'stopped' : 'running';
    const attributes = { name, acronym, description, status };
    return {
      id: isRenewed ? `${baseOfId(id)}_2_0_0_node_20_1800000000` : id,
      attributes: { ...attributes, autosubscribe: false },
      options: [...definition.options.values()].map(installOption),
      errors: [],
    };
  });
}

/** The definitions that a glob means; there must be one. */
function meantBy(
  glob: string,
  catalog: readonly LiveIntegration[],
): LiveIntegration[] {
  const matches = globMatcher(glob);
  const meant = catalog.filter(({ id }) => {
    return [installedId(id), baseOfId(id), nameOf(id)].some(matches);
  });
  if (meant.length > 0) return meant;
  throw new SandboxError(`the catalog has no ${glob}`);
}

/** The name of an integration as it stands in its repository. */
function nameOf(id: string): string {
  return baseOfId(id).replaceAll('_', '-');
}

/** The range of the number at the end of an id: Unix times of ten digits. */
const FIRST_SECOND = 1_600_000_000;
const SECONDS = 180_000_000;

/**
 * An id like those of real servers, the same on each start: with a time for the
 * zeros of a definition.
 */
function installedId(id: string): string {
  const digest = createHash('sha256').update(nameOf(id)).digest();
  const time = FIRST_SECOND + (digest.readUInt32BE(0) % SECONDS);
  return id.replace(/0{10}$/, String(time));
}

/** Fills in what a definition leaves out. */
function installOption(definition: LiveOption): Option {
  const { key, choices, multiple = false } = definition;
  const { title = key, description = '', type = 'text' } = definition;
  const option = {
    key,
    name: title,
    description,
    type,
    value: contentOf(definition.value) ?? '',
    ...flagsOf(definition.permission),
  };
  if (type !== 'select') return option;
  return { ...option, options: choices, multiple };
}

/** The flags of a permission. A missing one never makes the invalid pair. */
function flagsOf(permission: LivePermission): OptionFlags {
  if (permission === 'invalid') {
    return { 'admin-only': true, 'user-can-edit': true };
  }
  const known = permission === 'unknown' ? 'lock-and-hide' : permission;
  const { adminOnly, userCanEdit } = PERMISSIONS[known].flags;
  return { 'admin-only': adminOnly, 'user-can-edit': userCanEdit };
}
