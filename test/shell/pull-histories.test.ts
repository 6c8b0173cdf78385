import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseConfig } from '../../src/core/config/config.ts';
import { isDefault, selectorOf, stopOf } from '../../src/core/config/entry.ts';
import { parseProject } from '../../src/core/config/project.ts';
import { resolveConfig } from '../../src/core/config/resolve.ts';
import { LiveIndex } from '../../src/core/match/live-index.ts';
import { matchEntries } from '../../src/core/match/match.ts';
import type { DesiredIntegration } from '../../src/core/model/desired.ts';
import { baseOfId } from '../../src/core/model/ids.ts';
import type { LiveIntegration } from '../../src/core/model/live.ts';
import type { SourceFile } from '../../src/core/model/place.ts';
import { shownSide } from '../../src/core/model/side.ts';
import { fieldKey } from '../../src/core/model/subject.ts';
import { compareIntegration } from '../../src/core/plan/compare.ts';
import { configLine, projectText } from '../../src/core/pull/project-files.ts';
import { type Pulled, pullEntries } from '../../src/core/pull/pull.ts';
import { listedServer } from '../../src/shell/commands/pull.ts';
import {
  inputOf,
  layersOfPull,
  type PulledServer,
} from '../../src/shell/reconcile/pull-site.ts';
import type { Server } from '../../src/shell/servers/server.ts';
import {
  type FoundProject,
  layersOf,
} from '../../src/shell/sources/project.ts';
import { brief } from '../support/config.ts';
import { liveIntegration, liveOption, readable } from '../support/live.ts';
import { seeds } from '../support/soak.ts';

const NAMES = ['staging', 'production', 'lab'] as const;

const BASES = ['jira', 'jira_sir', 'vt', 'splunk', 'Big_Name'] as const;

const VERSIONS = [
  '_node_18_',
  '_node_20_',
  '_4_0_0_node_18_',
  '_5_1_0_node_20_',
  '_v2_5_1_0_node_20_',
] as const;

/** What can happen to a team between two pulls. */
const step = fc.record({
  kind: fc.constantFrom(
    ...(['install', 'install', 'copy', 'remove', 'upgrade'] as const),
    ...(['upgrade', 'rename', 'edit', 'edit', 'override'] as const),
    ...(['reorder', 'join'] as const),
  ),
  server: fc.constantFrom(...NAMES),
  base: fc.constantFrom(...BASES),
  draw: fc.nat(1_000),
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A repository and its servers, all in memory. */
class Team {
  readonly files = new Map<string, string>();
  readonly live = new Map<string, LiveIntegration[]>();
  /** The ids that a server has since its last pull. */
  readonly fresh = new Map<string, Set<string>>();
  project: string | undefined;
  #count = 1_700;

  /** The project as a pull finds it. */
  found(): FoundProject | undefined {
    if (this.project === undefined) return undefined;
    const { value } = parseProject({ path: 'p.yaml', text: this.project });
    if (value === undefined) throw new Error(this.project);
    return { folder: '/', root: '/', project: value, diagnostics: [] };
  }

  /** Fails with all that there is. */
  fail(...facts: readonly unknown[]): never {
    const live = [...this.live].map(([name, all]) => [
      name,
      all.map(({ id }) => id),
    ]);
    const all = [facts, live, [...this.files], this.project];
    return expect.fail(JSON.stringify(all, undefined, 1));
  }

  servers(): string[] {
    return this.found()?.project.servers.map(({ name }) => name) ?? [];
  }

  filesIn(folder: string): SourceFile[] {
    const sources: SourceFile[] = [];
    for (const [path, text] of this.files)
      if (path.startsWith(folder)) sources.push({ path, text });
    return sources;
  }

  textsIn(folder: string): string[] {
    return this.filesIn(folder).map(({ text }) => text);
  }

  /** Writes a file of entries for a server, as a person does. */
  write(name: string, entry: string): void {
    const path = `/servers/${name}/hand-${this.#count++}.yaml`;
    this.files.set(path, `version: 1\nintegrations:\n  ${entry}\n`);
  }

  layersOf(name: string): SourceFile[][] {
    const { project } = this.found() ?? {};
    const server = project?.servers.find((each) => each.name === name);
    const folders = server?.config.map(({ text }) => `/${text}`) ?? [];
    return folders.map((folder) => this.filesIn(folder));
  }

  config(name: string) {
    const { value, diagnostics } = parseConfig(this.layersOf(name));
    const real = diagnostics.filter(({ code }) => code !== 'nothing-managed');
    if (real.length > 0) this.fail(name, real.map(brief));
    return value ?? { entries: [], values: new Map() };
  }

  desired(name: string): readonly DesiredIntegration[] {
    const config = resolveConfig(this.config(name));
    return matchEntries(config, this.on(name)).integrations;
  }

  on(name: string): LiveIntegration[] {
    const live = this.live.get(name) ?? [];
    this.live.set(name, live);
    return live;
  }

  install(name: string, base: string, draw: number): void {
    const id = `${base}${VERSIONS[draw % VERSIONS.length]}${this.#count++}`;
    const options = [
      liveOption('url', { value: readable(draw % 3 === 0 ? 'a' : 'b') }),
      liveOption('limit', { type: 'number', value: readable(draw % 4) }),
      liveOption('key', {
        type: 'password',
        value: readable(`K-${name}-${id}`),
      }),
    ];
    if (draw % 5 === 0) options.push(liveOption('more'));
    const autosubscribe = draw % 7 === 0;
    const fresh = this.fresh.get(name) ?? new Set();
    this.fresh.set(name, fresh.add(id));
    this.on(name).push(liveIntegration(id, options, { autosubscribe }));
  }

  replace(name: string, old: LiveIntegration, by?: LiveIntegration): void {
    const live = this.on(name);
    live.splice(live.indexOf(old), 1, ...(by ? [by] : []));
  }

  /** Gives a server what its configuration asks for. */
  apply(name: string): void {
    for (const asked of this.desired(name)) {
      const held = this.on(name).find(({ id }) => id === asked.id);
      if (held === undefined) continue;
      const options = new Map(held.options);
      for (const {
        option,
        value,
        permission,
      } of asked.settings.options.values()) {
        const own = options.get(option);
        if (own === undefined) continue;
        const want =
          value?.want.kind === 'literal' ? value.want.value : undefined;
        options.set(option, {
          ...own,
          value: want === undefined ? own.value : shownSide(want),
          permission: permission?.want ?? own.permission,
        });
      }
      const autosubscribe =
        asked.settings.autosubscribe?.want ?? held.autosubscribe;
      this.replace(name, held, { ...held, options, autosubscribe });
    }
  }

  upgrade(name: string, old: LiveIntegration, draw: number): void {
    const version = VERSIONS[draw % VERSIONS.length];
    const id = `${baseOfId(old.id)}${version}${this.#count++}`;
    this.replace(name, old, { ...old, id });
    const fresh = this.fresh.get(name);
    // Of several copies nobody can tell which is which.
    const alike = this.on(name).filter(
      (each) => baseOfId(each.id) === baseOfId(id),
    );
    if (fresh?.has(old.id) || alike.length > 1)
      for (const each of alike) this.fresh.get(name)?.add(each.id);
  }

  /** Marks all of a server as new. */
  refresh(name: string): void {
    this.fresh.set(name, new Set(this.on(name).map(({ id }) => id)));
  }

  /** Gives an entry another name, wherever it stands. */
  rename(draw: number): void {
    const names = namesIn(this.textsIn('/'));
    const old = names[draw % (names.length || 1)];
    if (old === undefined) return;
    const line = new RegExp(`^ {2}${old}:`, 'gm');
    const name = `renamed-${this.#count++}`;
    for (const [path, text] of this.files)
      this.files.set(path, text.replace(line, `  ${name}:`));
  }

  /** Changes a limit of the base; all servers that do not override it follow. */
  edit(draw: number): void {
    const paths = this.filesIn('/integrations/').map(({ path }) => path);
    const path = paths[draw % (paths.length || 1)] ?? '';
    const text = this.files.get(path) ?? '';
    const [, name = ''] = /^ {2}([\w-]+):/m.exec(text) ?? [];
    const limit = this.#count++;
    const edited = text.replace(/(?<=limit: \{ value: )\d+/, `${limit}`);
    if (edited === text) return;
    this.files.set(path, edited);
    const overriding = new RegExp(`^ {2}${name}:[^]*(limit:|null)`, 'm');
    for (const server of this.servers()) {
      const own = this.textsIn(`/servers/${server}/`);
      const isOverridden = own.some((each) => overriding.test(each));
      const asked = this.desired(server).find((each) => each.name === name);
      const want = asked?.settings.options.get('limit')?.value?.want;
      const edit = { kind: 'literal', value: limit };
      if (!isOverridden && asked !== undefined)
        expect(want, `${server} ${path}`).toEqual(edit);
      // What was upgraded since its pull follows only then.
      if (asked === undefined) this.refresh(server);
      this.apply(server);
    }
  }

  /** Lets a server have another limit than the base. */
  override(name: string, draw: number): void {
    const folder = `servers/${name}/`;
    const isListed = this.found()?.project.servers.some(
      (each) =>
        each.name === name && each.config.some(({ text }) => text === folder),
    );
    if (!isListed) return;
    const own = new Set(namesIn(this.textsIn(`/${folder}`)));
    const desired = this.desired(name).filter(
      (asked) => !own.has(asked.name) && asked.settings.options.has('limit'),
    );
    const asked = desired[draw % (desired.length || 1)];
    if (asked === undefined) return;
    const limit = this.#count++;
    this.write(name, `${asked.name}: { options: { limit: ${limit} } }`);
    this.apply(name);
  }

  /** Moves the last server of the project to the front. */
  reorder(): void {
    const [head = '', ...blocks] = (this.project ?? '').split(
      /^(?= {2}\w+:\n)/m,
    );
    const last = blocks.pop();
    if (last !== undefined) this.project = [head, last, ...blocks].join('');
  }

  /** The fields that a plan of a server would change, by the ids. */
  differing(name: string): { readonly id: string; readonly field: string }[] {
    const differing: { id: string; field: string }[] = [];
    for (const asked of this.desired(name)) {
      const held = this.on(name).find(({ id }) => id === asked.id);
      if (held === undefined) continue;
      const { comparisons, diagnostics } = compareIntegration(asked, held);
      for (const { code } of diagnostics)
        differing.push({ id: asked.id, field: code });
      for (const { state, subject } of comparisons)
        if (state === 'differs')
          differing.push({ id: asked.id, field: fieldKey(subject) });
    }
    return differing;
  }

  /** Does what a pull asks a person to do; false if that is nothing. */
  follow(name: string, { leftOut }: Pulled['report']): boolean {
    let isAsked = false;
    for (const { address: entry, reason } of leftOut) {
      const [, match, fitting] =
        /^change its match, (.*), to (.*)$/.exec(reason) ?? [];
      if (match === undefined) continue;
      const others = new RegExp(`^/servers/(?!${name}/)`);
      for (const [path, text] of this.files) {
        const edited = text.replace(`match: ${match}\n`, `match: ${fitting}\n`);
        if (!text.includes(`  ${entry}:\n`) || edited === text) continue;
        if (others.test(path)) continue;
        this.files.set(path, edited);
        isAsked = true;
      }
    }
    for (const { address, reason } of leftOut) {
      const [, path] = /^null in (.*);/.exec(reason) ?? [];
      if (reason.includes('too few')) {
        this.write(name, `${address}: null`);
        isAsked = true;
      }
      const text = path && this.files.get(path);
      if (path === undefined || text === undefined) continue;
      const line = new RegExp(`^ {2}${address}: null.*\n`, 'm');
      const rest = text.replace(line, '');
      if (namesIn([rest]).length > 0) this.files.set(path, rest);
      else this.files.delete(path);
      isAsked = true;
    }
    return isAsked;
  }

  /** Ends what a server has of its own of entries whose integration is gone; false if that is nothing. */
  clean(name: string): boolean {
    const config = this.config(name);
    const { misses } = matchEntries(resolveConfig(config), this.on(name));
    let isCleaned = false;
    const index = new LiveIndex(this.on(name));
    for (const entry of misses.unmet) {
      const written = config.entries.find((each) => each.name === entry);
      const selector = selectorOf(written ?? expect.fail());
      if (index.found(selector).length > 0) continue;
      const isShared = this.readers() > 1;
      const paths = this.filesIn(isShared ? `/servers/${name}/` : '/');
      const own = paths.filter(({ text }) =>
        new RegExp(`^ {2}${entry}:`, 'm').test(text),
      );
      for (const { path } of own) this.files.delete(path);
      // Without a null, the entry of the base might select another one here.
      const base = namesIn(this.textsIn('/integrations/'));
      if (isShared && own.length > 0 && base.includes(entry))
        this.write(name, `${entry}: null`);
      if (own.length > 0) isCleaned = true;
    }
    return isCleaned;
  }

  /** How many servers read the base. */
  readers(): number {
    const { servers = [] } = this.found()?.project ?? {};
    return servers.filter(({ config }) =>
      config.some(({ text }) => text === 'integrations/'),
    ).length;
  }

  /** Pulls a server, and lists it as the pull says. */
  pull(name: string): Pulled {
    const project = this.found();
    const listed = project?.project.servers.find((each) => each.name === name);
    const layersHere = listed && project ? layersOf(listed, project) : [];
    const url = new URL(`https://${name}.example.com`);
    const found: PulledServer = {
      server: { name, url, layers: layersHere } as unknown as Server,
      listed,
      project,
      folder: '/',
      warnings: [],
    };
    const layers = layersOfPull(found, false);
    const filesOf = layers.layers.map(({ path }) => this.filesIn(`/${path}`));
    const read = new Set(layers.layers.map(({ path }) => path));
    const others = layers.others.filter(({ path }) => !read.has(path));
    const input = {
      ...inputOf(found, layers, filesOf, '/'),
      others: others.flatMap(({ path }) => this.filesIn(`/${path}`)),
      table: new Map(),
    };
    const pulled = pullEntries({ ...input, live: this.on(name) });
    for (const { path, text } of pulled.files) {
      expect(this.files.has(`/${path}`)).toBe(false);
      this.files.set(`/${path}`, text);
    }
    const site = { ...found, ...layers, input, root: '/' };
    const line = listedServer({ site, pulled, secrets: undefined });
    const layersLine = configLine(line.layers);
    this.project =
      listed === undefined
        ? projectText(this.project, line, 's')
        : withConfig(this.project ?? '', name, layersLine);
    return pulled;
  }
}

/** A project in which a server has another line of layers. */
function withConfig(project: string, name: string, line: string): string {
  const [before = '', after = ''] = project.split(`\n  ${name}:\n`);
  const rest = after.replace(/config: .*/, () => line);
  return `${before}\n  ${name}:\n${rest}`;
}

/** The names of all entries in texts of files. */
function namesIn(texts: readonly string[]): string[] {
  const found = texts.join('\n').matchAll(/^ {2}([\w-]+):/gm);
  return [...new Set([...found].map(([, name = '']) => name))].sort();
}

/** Lets something happen; the ids that a server has anew. */
function happen(team: Team, { kind, server, base, draw }: Step): void {
  const all = team.on(server);
  const own = all.filter(({ id }) => baseOfId(id) === base);
  const one = own[draw % (own.length || 1)];
  switch (kind) {
    case 'install':
      if (one === undefined) team.install(server, base, draw);
      break;
    case 'copy':
      if (own.length < 3) team.install(server, base, draw);
      break;
    case 'remove':
      if (one !== undefined) team.replace(server, one);
      break;
    case 'upgrade':
      if (one !== undefined) team.upgrade(server, one, draw);
      break;
    case 'rename':
      team.rename(draw);
      break;
    case 'edit':
      team.edit(draw);
      break;
    case 'override':
      team.override(server, draw);
      break;
    case 'reorder':
      team.reorder();
      break;
    default:
      if (!team.servers().includes(server) && all.length > 0) team.pull(server);
  }
}

/** Pulls all servers, as a person does who follows what each pull says. */
function pullAll(team: Team): void {
  for (const name of team.servers()) {
    for (let round = 0; round < 3; round += 1) {
      const { report } = team.pull(name);
      const isAsked = team.follow(name, report);
      if (!team.clean(name) && !isAsked) break;
    }
    // What is new to an entry of others differs from it until an apply.
    const fresh = team.fresh.get(name) ?? new Set();
    for (const { id, field } of team.differing(name))
      if (!fresh.has(id)) team.fail(name, id, field);
    fresh.clear();
    team.apply(name);
  }
}

/** That each integration has one entry, and nothing is to be planned. */
function check(team: Team): void {
  for (const name of team.servers()) {
    const live = team.on(name);
    const config = team.config(name);
    const { diagnostics } = matchEntries(resolveConfig(config), live);
    if (diagnostics.length > 0) team.fail(name, diagnostics.map(brief));
    const differing = team.differing(name);
    if (differing.length > 0) team.fail(name, differing);
    const index = new LiveIndex(live);
    const entries = config.entries.filter(
      (entry) => !isDefault(entry) && stopOf(entry) === undefined,
    );
    for (const { id } of live) {
      const selecting = entries.filter((entry) =>
        index.found(selectorOf(entry)).some((each) => each.id === id),
      );
      const names = selecting.map((entry) => entry.name);
      if (names.length !== 1) team.fail(name, id, names);
    }
    const { files } = team.pull(name);
    if (files.length > 0) team.fail(name, files);
  }
}

/** The new form of an id is on production first, then beside the old one on staging. */
const UPGRADED: Step[] = [
  { kind: 'install', server: 'production', base: 'jira_sir', draw: 659 },
  { kind: 'install', server: 'staging', base: 'jira', draw: 0 },
  { kind: 'copy', server: 'staging', base: 'jira_sir', draw: 799 },
  { kind: 'join', server: 'production', base: 'jira', draw: 0 },
];

test('after random histories each integration has one entry on each server, and pulls leave nothing to plan', () => {
  const property = fc.property(
    fc.array(step, { minLength: 4, maxLength: 14 }),
    (steps) => {
      const team = new Team();
      for (const base of BASES.slice(0, 3)) team.install('staging', base, 1);
      team.pull('staging');
      for (const each of steps) {
        happen(team, each);
        if (each.draw % 3 > 0) continue;
        pullAll(team);
        check(team);
      }
      pullAll(team);
      check(team);
    },
  );
  fc.assert(property, { numRuns: seeds(8, 2_000), examples: [[UPGRADED]] });
});
