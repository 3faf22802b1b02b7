import type { Context } from '../../context.ts';

/** The workflows of a repository that do not run, by the names of their files. */
export async function disabledWorkflows({ db }: Pick<Context, 'db'>, repositoryId: number): Promise<Set<string>> {
  const rows = await db.selectFrom('action_disabled_workflows').select('workflow_id').where('repository_id', '=', repositoryId).execute();
  return new Set(rows.map((row) => row.workflow_id));
}

/** Enables or disables a workflow. */
export async function setWorkflowEnabled({ db }: Context, repositoryId: number, workflowId: string, isEnabled: boolean): Promise<void> {
  const row = { repository_id: repositoryId, workflow_id: workflowId };
  if (isEnabled) {
    await db
      .deleteFrom('action_disabled_workflows')
      .where('repository_id', '=', repositoryId)
      .where('workflow_id', '=', workflowId)
      .execute();
  } else {
    await db
      .insertInto('action_disabled_workflows')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}
