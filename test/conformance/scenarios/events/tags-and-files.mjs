// Events of deleted tags, and of files that come to issues and comments.
import { hookTo } from './_deliveries.mjs';

const file = (filename, more = {}) => ({ form: { attachment: { content: 'text', filename, type: 'text/plain' }, ...more } });

export default async function (t) {
  const owner = await t.user('owner');
  const author = await t.user('author');
  const writer = await t.user('writer');
  await owner.repo('demo');
  const name = `${owner.name}/demo`;
  const repo = `/repos/${name}`;
  await owner.must('PUT', `${repo}/collaborators/${writer.name}`, { permission: 'write' });

  // Tags
  await owner.push(name, { files: { 'a.txt': 'a' }, message: 'Add a.txt', tag: 'pushed' });
  await owner.must('POST', `${repo}/tags`, { tag_name: 'made', message: 'A message\n\nand more' });
  await owner.must('POST', `${repo}/tags`, { tag_name: 'light' });
  const release = await owner.must('POST', `${repo}/releases`, { tag_name: 'released', name: 'Released', body: 'Notes' });
  await owner.must('POST', `${repo}/releases/${release.id}/assets`, undefined, file('a.txt'));
  const pushed = await owner.must('POST', `${repo}/releases`, { tag_name: 'gone', name: 'Gone', body: 'Its tag goes' });
  const tags = await hookTo(t, owner, `${repo}/hooks`, { events: ['release'] });
  const made = await hookTo(t, owner, `${repo}/hooks`, { events: ['delete', 'push'] });
  for (const tag of ['pushed', 'made', 'light']) {
    await owner.delete(`${repo}/tags/${tag}`, undefined, { until: ({ status }) => status === 204 });
    await tags.record(`tag ${tag} deleted`);
    await made.brief(`what else tells of ${tag}`, 2);
  }
  await owner.delete(`${repo}/tags/released`);
  await owner.delete(`${repo}/releases/${release.id}`);
  await tags.record('release deleted');
  const folder = await owner.clone(name);
  await owner.git(['push', '-q', 'origin', ':refs/tags/gone'], folder);
  await made.brief('tag of a release deleted by a push', 2);
  await owner.get(`${repo}/releases/${pushed.id}`, { body: ({ draft, name }) => ({ draft, name }) });
  await owner.must('DELETE', `${repo}/hooks/${made.id}`);

  // Files
  const issue = await hookTo(t, owner, `${repo}/hooks`, { events: ['issues', 'issue_comment', 'pull_request', 'pull_request_comment'] });
  await author.must('POST', `${repo}/issues`, { title: 'One', body: 'Text' });
  await issue.brief('opened');
  await author.post(`${repo}/issues/1/assets`, undefined, file('one.txt'));
  await issue.record('a file by the author');
  await writer.post(`${repo}/issues/1/assets`, undefined, file('two.txt'));
  await issue.record('a file by a writer');
  const comment = await writer.must('POST', `${repo}/issues/1/comments`, { body: 'Comment' });
  await issue.brief('commented');
  await writer.post(`${repo}/issues/comments/${comment.id}/assets`, undefined, file('three.txt'));
  await issue.record('a file of a comment');
  await owner.post(`${repo}/issues/comments/${comment.id}/assets`, undefined, file('four.txt'));
  await issue.record('another one');
  await owner.must('PATCH', `${repo}/issues/comments/${comment.id}`, { body: 'Edited' });
  await issue.record('comment edited');
  await writer.must('DELETE', `${repo}/issues/comments/${comment.id}`);
  await issue.record('comment deleted');
  await owner.must('PATCH', `${repo}/issues/1`, { body: 'Edited' });
  await issue.record('issue edited');
  await owner.push(name, { branch: 'topic', from: 'main', files: { 'b.txt': 'b' } });
  await writer.must('POST', `${repo}/pulls`, { title: 'Two', head: 'topic', base: 'main' });
  await issue.brief('pull request opened');
  await owner.post(`${repo}/issues/2/assets`, undefined, file('five.txt'));
  await issue.record('a file of a pull request');
  const said = await owner.must('POST', `${repo}/issues/2/comments`, { body: 'Said' });
  await issue.brief('commented');
  await owner.post(`${repo}/issues/comments/${said.id}/assets`, undefined, file('six.txt'));
  await issue.record('a file of its comment');
}
