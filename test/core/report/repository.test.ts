import { expect, test } from 'vitest';
import { webAddress } from '../../../src/core/report/repository.ts';

const HOME = 'https://git.example/soc/integrations';

test.each<[remote: string, address: string]>([
  [HOME, HOME],
  [`${HOME}.git`, HOME],
  [`${HOME}.git/`, HOME],
  ['HTTPS://GIT.example/soc/integrations', HOME],
  ['git@git.example:soc/integrations.git', HOME],
  ['git@git.example:/soc/integrations.git', HOME],
  ['ssh://git@git.example/soc/integrations.git', HOME],
  ['ssh://git@git.example:7999/soc/integrations.git', HOME],
  ['ssh://git.example/soc/integrations.git', HOME],
  ['https://git.example:8443/a/b', 'https://git.example:8443/a/b'],
  [
    'https://dev.azure.example/org/My%20Project/_git/repo',
    'https://dev.azure.example/org/My%20Project/_git/repo',
  ],
  ['https://user:glpat-secret@git.example/soc/integrations', HOME],
  ['https://ghp_secret@git.example/soc/integrations.git', HOME],
  ['ssh://user:secret@git.example/soc/integrations', HOME],
  [`${HOME}?private_token=secret`, HOME],
  [`${HOME}#access_token=secret`, HOME],
])('%s is found at a web address without credentials', (remote, address) => {
  expect(webAddress(remote)).toBe(address);
});

test.each([
  '',
  '/srv/git/integrations.git',
  '../integrations',
  './integrations',
  'C:\\integrations',
  'C:/integrations',
  'file:///srv/git/integrations.git',
  'javascript:alert(1)//git.example/x',
  'data:text/html,x',
  'ext::sh -c whoami',
  'git://git.example/soc/integrations',
  'http://git.example/soc/integrations',
  'https://git.example',
  'https://git.example/',
  'https://git.example/.git',
  'https://git.example/a/..',
  'https://git.example/a b',
  ' https://git.example/a',
  'https://git.example/a\nb',
  'https://git.example/a\u202eb',
  'https://git.example\\@other.example/a',
  'https://git.example/a@b',
  'https://git.example/(a)',
  'https://[::1]/a/b',
  'git@git.example:',
  'git@-oProxyCommand=x:a/b',
  'user:secret@git.example:a/b',
])('%s has no web address', (remote) => {
  expect(webAddress(remote)).toBeUndefined();
});
