// Merging with titles, messages, templates and co-authors: what the commit on the base says then.
const ready = { until: ({ text }) => !text.includes('try again later') };
export default async function (t) {
  const alice = await t.user('alice', { full_name: 'Alice Liddell' });
  const bob = await t.user('bob');
  await alice.repo('demo');
  const name = `${alice.name}/demo`;
  const repo = `/repos/${name}`;
  await alice.must('PUT', `${repo}/collaborators/${bob.name}`, { permission: 'write' });
  const last = (count = 1) => alice.get(`${repo}/commits?sha=main&stat=false&files=false&verification=false&limit=${count}`, { body: (list) => list.map(({ commit, parents }) => ({ message: commit.message, author: commit.author.name, committer: commit.committer.name, parents: parents.length })) });
  let number = 0;
  const open = async (branch, fields = {}) => {
    await bob.push(name, { branch, from: 'main', files: { [`${branch}-1.txt`]: '1\n' }, message: `First of ${branch}\n\nIts body\n\nCo-authored-by: Carol <carol@example.com>` });
    await alice.push(name, { branch, files: { [`${branch}-2.txt`]: '2\n' }, message: `Second of ${branch}` });
    number = (await bob.must('POST', `${repo}/pulls`, { head: branch, base: 'main', title: `Title of ${branch}`, body: `Body of ${branch}\n\nCloses #999`, ...fields })).number;
  };
  const merge = (fields, who = alice) => who.post(`${repo}/pulls/${number}/merge`, fields, ready);
  await open('one');
  await merge({ Do: 'merge', MergeTitleField: 'My title', MergeMessageField: 'My message\n\nSecond paragraph' });
  await last();
  await open('two');
  await merge({ Do: 'squash', MergeTitleField: 'Squashed', MergeMessageField: '' });
  await last();
  await open('three');
  await merge({ Do: 'squash', merge_title_field: 'Lower case fields', merge_message_field: 'kept' });
  await last();
  await open('four');
  await merge({ Do: 'squash' });
  await last();
  await open('five');
  await merge({ Do: 'rebase', MergeTitleField: 'Not used', MergeMessageField: 'nor this' });
  await last(2);
  await open('six');
  await merge({ Do: 'rebase-merge', MergeTitleField: 'Used', MergeMessageField: 'as well' });
  await last(3);
  await open('seven');
  await merge({ Do: 'fast-forward-only', MergeTitleField: 'Not used' });
  await last(2);
  await alice.push(name, { files: {
    '.gitea/default_merge_message/MERGE_TEMPLATE.md': 'Merge ${PullRequestIndex} of ${PullRequestPosterName}\n\n${PullRequestTitle}: ${PullRequestDescription}\n${HeadBranch} into ${BaseBranch} of ${BaseRepoOwnerName}/${BaseRepoName} from ${HeadRepoOwnerName}/${HeadRepoName} ${PullRequestReference} ${ClosingIssues} ${Unknown}',
    '.gitea/default_merge_message/SQUASH_TEMPLATE.md': 'Squash ${PullRequestTitle}\n\n${CommitsList}${PullRequestMessageTrailers}',
  }, message: 'Templates' });
  await open('eight');
  await merge({ Do: 'merge' });
  await last();
  await open('nine');
  await merge({ Do: 'squash' });
  await last();
  await open('ten');
  await merge({ Do: 'squash', MergeTitleField: 'Only a title' });
  await last();
  await open('eleven');
  await merge({ Do: 'merge', head_commit_id: 'f'.repeat(40) });
  await merge({ Do: 'merge', head_commit_id: 'short' });
  await merge({ Do: 'nothing' });
  await merge({});
  await merge({ Do: '' });
  await merge({ Do: 'MERGE' });
  await merge({ Do: 'manually-merged' });
  await merge({ Do: 'manually-merged', MergeCommitID: 'f'.repeat(40) });
  await alice.get(`${repo}/pulls/${number}`, { body: ({ state, merged }) => ({ state, merged }) });
  await merge({ Do: 'merge', force_merge: true, delete_branch_after_merge: true });
  await merge({ Do: 'merge' });
  await alice.get(`${repo}/branches/eleven`);
  await open('twelve');
  await alice.patch(`${repo}/pulls/${number}`, { title: 'WIP: not yet' }, { body: ({ title, draft }) => ({ title, draft }) });
  await merge({ Do: 'merge' });
  await merge({ Do: 'merge', force_merge: true });
  await alice.patch(`${repo}/pulls/${number}`, { title: '[wip] nor now' }, { body: ({ title, draft }) => ({ title, draft }) });
  await alice.patch(`${repo}/pulls/${number}`, { title: 'Draft: nor now' }, { body: ({ title, draft }) => ({ title, draft }) });
  await alice.patch(`${repo}/pulls/${number}`, { title: 'WIP nor now' }, { body: ({ title, draft }) => ({ title, draft }) });
  await alice.patch(`${repo}/pulls/${number}`, { state: 'closed' }, { body: ({ state }) => state });
  await merge({ Do: 'merge' });
}
