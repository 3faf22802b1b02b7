// What stands around the JSON of a body, and the names of fields in forms.
export default async function (t) {
  const alice = await t.user('alice');
  await alice.repo('demo');
  const demo = `/repos/${alice.name}/demo`;
  const body = ({ title, number }) => ({ title, number });
  const json = (raw) => alice.request('POST', `${demo}/issues`, { raw, type: 'application/json', body, label: `${demo}/issues with ${JSON.stringify(raw)}` });
  for (const rest of [' x', '{}', ']', ',', '"', ' {"title":"2"}', '\n\n', '//', '\ufeff']) await json(`{"title":"t"}${rest}`);
  for (const first of ['\ufeff', '\v', '\u00a0', '\n\t ']) await json(`${first}{"title":"t"}`);
  for (const raw of ['{"title":"} {"}{', '{"title":"\\"}"} ]', '{"title":"x",} {}', '{"title":"x} {}', '[{"title":"x"}] x', ' \n']) await json(raw);
  const form = (path, raw, body = 'auto') => alice.request('POST', path, { raw, type: 'application/x-www-form-urlencoded', body, label: `${path} with ${raw}` });
  await form('/orgs', `user_name=${t.unique('crew')}&full_name=Crew`, ({ username, full_name }) => ({ username, full_name }));
  await form('/orgs', 'user_name=a&website=3');
  await form(`${demo}/releases`, 'tag_name=v1&target=main&title=One&note=text&is_draft=true&is_prerelease=true', ({ name, body, draft, prerelease }) => ({ name, body, draft, prerelease }));
  await form('/user/applications/oauth2', 'name=app&redirect_ur_is=http://localhost/a&redirect_ur_is=http://localhost/b', ({ name, redirect_uris }) => ({ name, redirect_uris }));
  await form(`${demo}/branches`, 'branch_name=topic&old_ref_name=main', ({ name }) => name);
  await form(`${demo}/contents/a.txt`, 'content_base64=YQ==&message=m&branch_name=topic', ({ content }) => content.path);
  await form(`${demo}/issues/1/times`, `time=60&user=${alice.name}`, ({ time, user_name }) => ({ time, user_name }));
  await form(`${demo}/issues/1/reactions`, 'reaction=heart', ({ content }) => content);
}
