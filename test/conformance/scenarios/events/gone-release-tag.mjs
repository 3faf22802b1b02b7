// What is delivered of a tag whose release was deleted before it.
import { hookTo } from './_deliveries.mjs';

export default async function (t) {
  const alice = await t.user('alice');
  await alice.repo('demo');
  const repo = `/repos/${alice.name}/demo`;
  const { id } = await alice.must('POST', `${repo}/releases`, { tag_name: 'v1', name: 'Title', body: 'Note', prerelease: true });
  const hook = await hookTo(t, alice, `${repo}/hooks`, { events: ['release'] });
  for (const path of [`${repo}/releases/${id}`, `${repo}/tags/v1`]) {
    await alice.delete(path);
    const { action, release } = (await hook.next()).json;
    t.record(`after ${path.includes('tags') ? 'the tag' : 'the release'}`, { action, tag: release.tag_name, title: release.name, note: release.body });
  }
}
