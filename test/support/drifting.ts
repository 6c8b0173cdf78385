import type { LiveIntegration, LiveOption } from '../../src/core/model/live.ts';
import { isChoiceList, type OptionValue } from '../../src/core/model/value.ts';
import { type ValueStyle, valueText } from '../../src/core/yaml/value-text.ts';
import type { Texts } from './accepting.ts';
import { liveIntegration, liveOption, readable } from './live.ts';
import type { Seeded } from './seeded.ts';

const CHOICES = ['ip', 'url', 'domain', 'yes'].map((value) => ({ value, display: `The ${value}` }));
const TEXTS = [
  'a',
  'plain words',
  'two\nlines',
  'three\n\n  of them\n',
  "it's",
  'a: b # c',
  '12',
  '',
  '${x',
  ' edge ',
  'ünïcode ☂',
  'a, [b]',
];
const PERMISSIONS = ['lock-and-hide', 'lock-and-show', 'user-provides'] as const;
const IDS = ['i1', 'i2', 'i3'] as const;

/** The options that all integrations have, with what each may hold. */
const OPTIONS: Readonly<
  Record<string, { readonly shape: Partial<LiveOption>; readonly value: (draw: Seeded) => OptionValue }>
> = {
  text: { shape: { type: 'text' }, value: ({ pick }) => pick(TEXTS) },
  count: { shape: { type: 'number' }, value: ({ pick }) => pick([0, -1, 1.5, 30]) },
  flag: { shape: { type: 'boolean' }, value: ({ random }) => random() < 0.5 },
  mode: { shape: { type: 'select', choices: CHOICES }, value: ({ pick }) => pick(CHOICES) },
  types: {
    shape: { type: 'select', multiple: true, choices: CHOICES },
    value: ({ some }) => some(CHOICES, 0, 4),
  },
};

/** Integrations that hold anything. */
export function driftedIntegrations(draw: Seeded): LiveIntegration[] {
  return IDS.map((id) => {
    const options = Object.entries(OPTIONS).map(([key, { shape, value }]) =>
      liveOption(key, { ...shape, value: readable(value(draw)), permission: draw.pick(PERMISSIONS) }),
    );
    return liveIntegration(id, options, { autosubscribe: draw.random() < 0.5 });
  });
}

/** Writes a file in any style. Each comment is another one. */
class Writer {
  readonly #draw: Seeded;
  readonly #name: string;
  readonly #hasAnchors: boolean;
  readonly #anchors = new Map<string, string[]>();
  #comments = 0;

  constructor(draw: Seeded, name: string, hasAnchors: boolean) {
    this.#draw = draw;
    this.#name = name;
    this.#hasAnchors = hasAnchors;
  }

  file(entries: readonly string[]): string {
    const { random, pick } = this.#draw;
    const named = Object.entries(OPTIONS).map(
      ([key, { value }]) => `  ${key}: ${this.#value(value(this.#draw), { indent: '    ', isInFlow: true })}`,
    );
    const lines = [
      ...this.#above(''),
      'version: 1',
      ...(this.#hasAnchors ? ['values:', ...named] : []),
      'integrations:',
      ...entries.flatMap((entry) => this.#entry(entry)),
      ...this.#above('  '),
    ];
    const newline = random() < 0.2 ? '\r\n' : '\n';
    const end = pick(['', newline, newline, newline + newline]);
    return (random() < 0.1 ? '\ufeff' : '') + lines.join('\n').replaceAll('\n', newline) + end;
  }

  #entry(name: string): string[] {
    const { random, some } = this.#draw;
    const keys = some(Object.keys(OPTIONS), 1, Object.keys(OPTIONS).length);
    const isDefault = name === 'all';
    const head = isDefault ? ['match: "i*"', 'expect: any'] : [];
    const own = random() < 0.5 ? [`autosubscribe: ${random() < 0.5}`] : [];
    if (random() < 0.3) {
      const options = keys.map((key) => `${key}: ${this.#option(key, true, '').join('')}`);
      const comma = random() < 0.2 ? ', ' : ' ';
      return [
        `  ${name}: { ${[...head, ...own, `options: { ${options.join(', ')}${comma}}`].join(', ')} }${this.#beside()}`,
      ];
    }
    return [
      ...this.#above('  '),
      `  ${name}:${this.#beside()}`,
      ...[...head, ...own].map((line) => `    ${line}${this.#beside()}`),
      '    options:',
      ...keys.flatMap((key) => {
        const [first = '', ...rest] = this.#option(key, false, '        ');
        return [
          ...this.#above('      '),
          `      ${key}:${first === '' || first.startsWith('\n') ? '' : ' '}${first}`,
          ...rest,
        ];
      }),
    ];
  }

  /** What follows the key of an option. */
  #option(key: string, isInFlow: boolean, indent: string): string[] {
    const { random, pick } = this.#draw;
    const permission = pick(PERMISSIONS);
    const form = random();
    if (form < 0.5) {
      const value = this.#optionValue(key, { indent, isInFlow });
      return [value + (isInFlow || value.includes('\n') ? '' : this.#beside())];
    }
    const beside = isInFlow ? '' : this.#beside();
    if (form < 0.6) return [`{ permission: ${permission} }${beside}`];
    if (isInFlow || form < 0.8) {
      const value = this.#optionValue(key, { indent, isInFlow: true });
      return [`{ value: ${value}, permission: ${permission} }${beside}`];
    }
    const value = this.#optionValue(key, { indent: `${indent}  `, isInFlow });
    return [
      '',
      `${indent}permission: ${permission}${beside}`,
      ...this.#above(indent),
      `${indent}value:${value.startsWith('\n') ? '' : ' '}${value}`,
    ];
  }

  #optionValue(key: string, style: ValueStyle): string {
    const { random, pick } = this.#draw;
    if (this.#hasAnchors) {
      const known = this.#anchors.get(key) ?? [];
      if (known.length > 0 && random() < 0.2) return `*${pick(known)}`;
      if (random() < 0.1) return style.isInFlow === true ? `"\${value:${key}}"` : `\${value:${key}}`;
      const value = this.#value(OPTIONS[key]?.value(this.#draw) ?? '', style);
      if (random() > 0.2 || value.startsWith('\n')) return value;
      const anchor = `${key}${known.length}`;
      this.#anchors.set(key, [...known, anchor]);
      return `&${anchor} ${value}`;
    }
    return this.#value(OPTIONS[key]?.value(this.#draw) ?? '', style);
  }

  #value(value: OptionValue, style: ValueStyle): string {
    const { random, pick } = this.#draw;
    const short = isChoiceList(value)
      ? value.map((choice) => (random() < 0.8 ? choice.value : choice))
      : value;
    if (Array.isArray(short) && short.length > 0 && style.isInFlow !== true && random() < 0.5)
      return short
        .map((each) => `\n${style.indent}- ${valueText(each, { ...style, isInFlow: true })}`)
        .join('');
    const quotes = pick(['single', 'double', 'none'] as const);
    return valueText(short, quotes === 'none' ? style : { ...style, quotes });
  }

  #beside(): string {
    return this.#draw.random() < 0.3 ? `  ${this.#comment()}` : '';
  }

  #above(indent: string): string[] {
    if (this.#draw.random() < 0.1) return [''];
    return this.#draw.random() < 0.2 ? [`${indent}${this.#comment()}`] : [];
  }

  #comment(): string {
    this.#comments += 1;
    return `# note ${this.#comments} of ${this.#name}`;
  }
}

/** The texts of layers that two servers share, and of one that a server has for itself. */
export function driftingTexts(draw: Seeded): Texts {
  const { some } = draw;
  const shared = (name: string) => new Writer(draw, name, true).file(some(['all', ...IDS], 2, 4));
  return {
    'base.yaml': shared('base'),
    'mid.yaml': shared('mid'),
    'own.yaml': new Writer(draw, 'own', false).file(some(['all', ...IDS], 1, 4)),
  };
}
