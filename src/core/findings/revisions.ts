import { error, type Problem, warning } from './entry.ts';
import { count } from './words.ts';

/** Mistakes about revisions of the configuration. */
export const REVISIONS = {
  'no-revision': error('git has no such revision', {
    message: (f: Problem & { near?: string }) => `${f.problem}.`,
    hint: 'Name a branch, a tag or a commit. To fetch the whole history: git fetch --unshallow; in pipelines fetch-depth: 0 of actions/checkout, or GIT_DEPTH: 0 of GitLab.',
    why: 'Revisions are read from the git repository of the configuration. In pipelines only the newest commit may be there, and branches are called origin/NAME.',
  }),
  'revision-broken': error('The configuration of a revision has errors', {
    message: (f: { ref: string; errors: number; first: string }) =>
      `The configuration at ${f.ref} has ${count(f.errors, 'error')}, so nothing can be compared with it: ${f.first}`,
    hint: 'Compare with a revision whose configuration is valid.',
  }),
  'revision-incomplete': warning('A revision lacks a part of the configuration', {
    message: (f: { ref: string; path: string }) => `${f.path} does not exist at ${f.ref}: it counts as new.`,
    hint: 'Fine if it is new. Otherwise compare with a commit that contains it under this name.',
    why: 'All of its fields count as new, so plan --base cannot tell drift from the changes of the branch.',
  }),
};
