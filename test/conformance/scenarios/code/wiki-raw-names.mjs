// The bytes of wiki pages at their raw URLs, by names with signs that URLs escape, with and without the ending of the file.
export default async function (t) {
  const alice = await t.user('alice');
  await alice.repo('demo');
  const repo = `/repos/${alice.name}/demo`;
  const titles = ['Home', 'C++', 'a+b', 'With%20percent', 'a%2Fb', 'Sub/Page', 'x.md', 'With-dash', 'Ünï'];
  for (const title of titles) {
    const { sub_url: name } = await alice.must('POST', `${repo}/wiki/new`, { title, content_base64: Buffer.from(`text of ${title}`).toString('base64') });
    for (const path of [name, `${name}.md`, `${name}.md.md`]) {
      const { status, text } = await t.anonymous.send('GET', `//${alice.name}/demo/wiki/raw/${path}`);
      t.record(path, { status, text: status === 200 ? text : '' });
    }
  }
}
