/** Statuses of the reference that neither of the two answers with, by operation, and what comes instead. */
export const OTHER_STATUSES: Record<string, string> = {
  'issueRemoveIssueDependencies 200': '201',
  'issueRemoveIssueBlocking 200': '201',
  'repoCreateTag 200': '201',
  'repoApplyDiffPatch 200': '201',
  'userVerifyGPGKey 201': '200',
  'unlinkPackage 201': '204',
  'issueAddSubscription 304': '200',
  'issueDeleteSubscription 304': '200',
  'issueCreateIssueAttachment 400': '422',
  'issueCreateIssueCommentAttachment 400': '422',
  'repoDeleteFile 400': '422',
  'repoListStatuses 400': '404 or 422',
  'repoCreateStatus 400': '404 or 422',
  'repoListStatusesByRef 400': '404 or 422',
  'repoGetCombinedStatusByRef 400': '404 or 422',
  'repoCreateTag 405': '422',
  'repoDeleteTag 405': '409 or 422',
  'getArtifacts 400': 'nothing',
  'getArtifactsOfRun 400': 'nothing',
  'getArtifact 400': '404',
  'deleteArtifact 400': '404',
  'downloadArtifact 400': '404',
  'downloadActionsRunJobLogs 400': '404',
  'getWorkflowJob 400': '404',
  'GetWorkflowRun 400': '404',
  'ListActionTasks 400': 'nothing',
  'ListActionTasks 409': 'nothing',
  'ActionsListRepositoryWorkflows 400': 'nothing',
  'ActionsListRepositoryWorkflows 500': 'nothing: a failure of the server is not described',
  'ActionsGetWorkflow 400': '404',
  'ActionsGetWorkflow 500': 'nothing: a failure of the server is not described',
  'ActionsDisableWorkflow 400': '404',
  'ActionsDispatchWorkflow 400': '404 or 422',
  'ActionsEnableWorkflow 400': '404',
  'ActionsEnableWorkflow 409': 'nothing',
  'repoListPullRequests 500': 'nothing: a failure of the server is not described',
  ...Object.fromEntries(['Org', 'Repo', 'User', 'Admin'].flatMap(answeredAtLevel)),
};

/** Those of secrets, variables and runners, at one of the levels. */
function answeredAtLevel(level: string): [string, string][] {
  const never = [
    'getVariablesList 400',
    'getVariable 400',
    'createVariable 500',
    'deleteVariable 200',
    'deleteVariable 201',
    'getRunners 400',
  ];
  const notFound = ['deleteSecret 400', 'deleteVariable 400', 'getRunner 400', 'updateRunner 400', 'deleteRunner 400'];
  const at = (name: string) => name.replace(/(?=Variable|Secret|Runner)/, level);
  return [
    ...never.map((name): [string, string] => [at(name), 'nothing']),
    ...notFound.map((name): [string, string] => [at(name), '404']),
    [at('updateVariable 201'), '204'],
  ];
}
