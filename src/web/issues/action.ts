import type { Context } from '../../context.ts';
import type { FormFields } from '../../http/bodies/fields.ts';
import type { Requirement } from '../../http/route.ts';
import type { Issue } from '../../issues/find.ts';
import type { RepositoryVisit } from '../resource-pages.ts';

/** The arguments of an action. */
export interface ActionInput {
  readonly visit: RepositoryVisit;
  readonly issue: Issue;
  readonly fields: FormFields;
}

/** The action of a conversation's form. */
export interface Action {
  /** Besides being signed in. */
  readonly needs?: readonly Requirement[];
  /** Whether it is possible in an archived repository. */
  readonly whenArchived?: boolean;
  /** Returns the anchor to go to, such as `#issuecomment-1`, or a path from the root; nothing for the top of the page. */
  readonly run: (input: ActionInput, context: Context) => Promise<string | undefined>;
}
