import { error, warning } from './entry.ts';
import { count } from './words.ts';

/** Why git has no such revision of the configuration. */
type NoRevision =
  | { problem: 'no-repository'; folder: string }
  | { problem: 'git-missing' }
  | { problem: 'git-failed'; reason: string }
  | { problem: 'unknown'; ref: string; isShallow: boolean; near?: string };

/** Mistakes about revisions of the configuration. */
export const REVISIONS = {
  'no-revision': error('git has no such revision', {
    message: (f: NoRevision) => {
      if (f.problem === 'no-repository') return `${f.folder} is in no git repository.`;
      if (f.problem === 'git-missing') return 'git was not found in the folders of PATH.';
      if (f.problem === 'git-failed') return `git cannot read the repository: ${f.reason}.`;
      return `The repository has no revision ${f.ref || 'without a name'}${f.isShallow ? '; it is a shallow clone' : ''}.`;
    },
    hint: (f) => {
      if (f.problem !== 'unknown') return NO_GIT[f.problem];
      if (f.near !== undefined) return `Did you mean ${f.near}?`;
      return f.isShallow ? WHOLE_HISTORY : 'Name a branch, a tag or a commit; fetch it first.';
    },
  }),
  'revision-broken': error('The configuration of a revision has errors', {
    message: (f: { ref: string; errors: number; first: string }) =>
      `The configuration at ${f.ref} has ${count(f.errors, 'error')}, so nothing can be compared with it: ${f.first}`,
    hint: 'Compare with a revision whose configuration is valid.',
  }),
  'revision-incomplete': warning('A revision lacks a part of the configuration', {
    message: (f: { ref: string; path: string }) => `${f.path} does not exist at ${f.ref}: it counts as new.`,
    hint: 'Fine if it is new. Otherwise compare with a commit that contains it under this name.',
  }),
};

const NO_GIT = {
  'no-repository': 'Run it in a clone of the repository of the configuration.',
  'git-missing': 'Install git, or name its folder in PATH by an absolute path outside of the repository.',
  'git-failed': 'Run git fsck, or clone the repository again.',
};

const WHOLE_HISTORY =
  'Fetch the whole history: git fetch --unshallow; in pipelines fetch-depth: 0 of actions/checkout, or GIT_DEPTH: 0 of GitLab.';
