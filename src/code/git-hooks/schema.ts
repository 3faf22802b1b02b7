import { boolean, define, defineOption, optional, string } from '../../http/schema.ts';

/** A script of a repository that runs on the server with each push. */
export const GitHook = define('GitHook', {
  name: string({ description: 'When it runs: pre-receive, update or post-receive.' }),
  is_active: boolean({ description: 'Whether there is one.' }),
  content: optional(string({ description: 'The script.' })),
});

/** The new script. */
export const EditGitHookOption = defineOption('EditGitHookOption', {
  content: string({ maxLength: 1_048_576, description: 'The script; with nothing in it, there is none any more.' }),
});
