// Large files whose ids are none.
export default async function (t) {
  const alice = await t.user('alice');
  await alice.repo('demo');
  const at = `//${alice.name}/demo.git/info/lfs`;
  const lfs = alice.with({ accept: 'application/vnd.git-lfs+json' });
  for (const id of ['x', 'a'.repeat(63), 'g'.repeat(64), 'A'.repeat(64)]) {
    await lfs.get(`${at}/objects/${id}`, { label: `an object ${id.slice(0, 2)}` });
    await lfs.get(`${at}/objects/${id}/name.bin`, { label: `an object with a name ${id.slice(0, 2)}` });
  }
  await lfs.post(`${at}/verify`, undefined, { raw: '{}', type: 'application/vnd.git-lfs+json' });
}
