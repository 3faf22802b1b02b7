// Owners who are collaborators of their own repository are listed among the others.
export default async function (t) {
  const mona = await t.user('mona');
  const others = [await t.user('abe'), await t.user('zed')];
  await mona.repo('demo');
  const repo = `/repos/${mona.name}/demo`;
  const names = { body: (users) => users.map(({ login }) => login) };
  for (const permission of ['read', 'write']) {
    for (const { name } of [mona, ...others]) await mona.put(`${repo}/collaborators/${name}`, { permission });
    for (const list of ['collaborators', 'reviewers', 'assignees']) await mona.get(`${repo}/${list}`, names);
  }
}
