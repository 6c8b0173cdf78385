import { describe, expect, test } from 'vitest';
import { pullPlace } from '../../src/shell/reconcile/pull-place.ts';

const layers = (...paths: readonly string[]) => paths.map((path) => ({ path, base: '/p' }));
const place = (wish: Partial<Parameters<typeof pullPlace>[0]>) =>
  pullPlace({ folder: '/p', name: 'beta', own: [], others: undefined, isTaken: () => false, ...wish });

describe('the folder of the entries of a server', () => {
  test.each<[string, Partial<Parameters<typeof pullPlace>[0]>, string | undefined]>([
    ['is the usual one without a project', {}, 'integrations/'],
    [
      'is the usual one where its layers have it',
      { own: layers('integrations'), others: [] },
      'integrations/',
    ],
    [
      'is the usual one where a glob of its layers has it',
      { own: layers('i*/*.yaml'), others: [] },
      'integrations/',
    ],
    ['has its name where a project does not list it', { others: layers('a.yaml') }, 'beta/'],
    ['has its name where its layers lead elsewhere', { own: layers('b.yaml'), others: [] }, 'beta/'],
    [
      'has its name where others share the usual one',
      { own: layers('integrations'), others: layers('integrations') },
      'beta/',
    ],
    ['is no folder of others', { others: layers('beta') }, 'beta-integrations/'],
    ['is no device of Windows', { name: 'con', others: [] }, 'con-integrations/'],
    ['is none of the schemas', { name: 'schemas', others: [] }, 'schemas-integrations/'],
    ['is below --out', { folder: '/p/sub', own: layers('integrations'), others: [] }, 'beta/'],
    ['is none where others read all', { others: layers('.') }, undefined],
  ])('%s', (_, wish, into) => {
    expect(place(wish)).toEqual({ into, earlier: into === undefined ? [] : [into] });
  });
});

describe('the one file of a server', () => {
  test.each<[string, Partial<Parameters<typeof pullPlace>[0]>, string[], string[], string | undefined]>([
    ['is the one that was named', {}, [], [], 'all.yaml'],
    ['is followed by others', {}, ['all.yaml', 'all-2.yaml'], ['all.yaml', 'all-2.yaml'], 'all-3.yaml'],
    [
      'has the name of the server where others have it',
      { others: layers('all.yaml') },
      ['all.yaml'],
      [],
      'all-beta.yaml',
    ],
    [
      'is followed by none of others',
      { others: layers('all-2.yaml') },
      ['all.yaml', 'all-2.yaml'],
      ['all.yaml'],
      'all-3.yaml',
    ],
    ['is none where others read all', { others: layers('*.yaml') }, [], [], undefined],
  ])('%s', (_, wish, there, earlier, into) => {
    const isTaken = (path: string) => there.includes(path);
    expect(place({ singleFile: 'all.yaml', isTaken, ...wish })).toEqual({ into, earlier });
  });
});
