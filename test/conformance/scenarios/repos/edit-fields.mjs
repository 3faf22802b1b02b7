// Editing a repository field by field: what each changes, wrong values, and the whole repository after all of it.
export default async function (t) {
  const alice = await t.user('alice');
  await alice.repo('demo');
  await alice.push(`${alice.name}/demo`, { branch: 'dev', from: 'main' });
  const repo = `/repos/${alice.name}/demo`;
  const shown = ({ size, updated_at, owner, ...rest }) => rest;
  const edit = (fields, body = (json) => Object.fromEntries(Object.keys(fields).map((key) => [key, json[key]]))) => alice.patch(repo, fields, { body });
  const values = {
    description: ['text', '', 'd'.repeat(2048), 'd'.repeat(2049), null], website: ['https://example.com', '', 'no url', 'javascript:x', 'x'.repeat(1025)], private: [true, false], template: [true, false],
    has_issues: [false, true], has_wiki: [false, true], has_projects: [false, true], has_pull_requests: [false, true], has_releases: [false, true], has_packages: [false, true], has_actions: [false, true], has_code: [false, true],
    default_branch: ['dev'], archived: [true, false], allow_merge_commits: [false, true], allow_rebase: [false, true], allow_rebase_explicit: [false, true], allow_squash_merge: [false, true], allow_fast_forward_only_merge: [false, true], allow_manual_merge: [true, false], autodetect_manual_merge: [true, false], allow_rebase_update: [false, true],
    default_delete_branch_after_merge: [true, false], default_merge_style: ['squash', 'rebase', 'rebase-merge', 'fast-forward-only', 'manually-merged', 'nonsense', '', 'merge'], default_allow_maintainer_edit: [true, false], default_update_style: ['rebase', 'nonsense', '', 'merge'], ignore_whitespace_conflicts: [true, false], projects_mode: ['repo', 'owner', 'nonsense', '', 'all'],
    mirror_interval: ['8h'], enable_prune: [true], name: ['DEMO', 'demo', '', 'a b', '.git'],
  };
  for (const [field, list] of Object.entries(values)) for (const value of list) await edit({ [field]: value });
  await edit({ has_issues: true, internal_tracker: { enable_time_tracker: false, allow_only_contributors_to_track_time: false, enable_issue_dependencies: false } });
  await edit({ internal_tracker: { enable_time_tracker: true } });
  await edit({ has_issues: true, external_tracker: { external_tracker_url: 'https://example.com/issues', external_tracker_format: 'https://example.com/{user}/{repo}/{index}', external_tracker_style: 'numeric' } }, (json) => ({ e: json.external_tracker, i: json.internal_tracker, has: json.has_issues }));
  await edit({ has_issues: true, external_tracker: { external_tracker_url: 'https://example.com/issues', external_tracker_format: 'https://example.com/{index}', external_tracker_style: 'regexp', external_tracker_regexp_pattern: '#(\\d+)' } }, (json) => ({ e: json.external_tracker, has: json.has_issues }));
  await edit({ has_issues: true, external_tracker: { external_tracker_url: 'no url' } });
  await edit({ has_issues: true, external_tracker: { external_tracker_url: 'https://example.com', external_tracker_format: 'no format' } });
  await edit({ has_issues: true, external_tracker: { external_tracker_url: 'https://example.com', external_tracker_style: 'nonsense' } }, (json) => ({ e: json.external_tracker }));
  await alice.get(`${repo}/issues`);
  await edit({ has_wiki: true, external_wiki: { external_wiki_url: 'https://example.com/wiki' } }, (json) => ({ e: json.external_wiki, has: json.has_wiki }));
  await edit({ has_wiki: true, external_wiki: { external_wiki_url: '' } }, (json) => ({ e: json.external_wiki, has: json.has_wiki }));
  await edit({ has_wiki: true, external_wiki: { external_wiki_url: 'no url' } });
  await alice.get(`${repo}/wiki/pages`);
  await edit({ has_issues: false, has_wiki: false, has_pull_requests: false, has_projects: false, has_releases: false, has_packages: false, has_actions: false }, shown);
  for (const path of ['issues', 'pulls', 'wiki/pages', 'releases', 'milestones', 'labels', 'actions/runs', 'actions/secrets', 'branches', 'tags', 'releases/latest', 'issues/pinned', 'pulls/pinned', 'times', 'issue_templates', 'issue_config', 'new_pin_allowed']) await alice.get(`${repo}/${path}`);
  await alice.post(`${repo}/pulls`, { head: 'dev', base: 'main', title: 'x' });
  await alice.post(`${repo}/issues`, { title: 'x' });
  await alice.post(`${repo}/releases`, { tag_name: 'v1' });
  await edit({ has_issues: true, has_wiki: true, has_pull_requests: true, has_projects: true, has_releases: true, has_packages: true, has_actions: true }, shown);
  await edit({ allow_merge_commits: false, allow_rebase: false, allow_rebase_explicit: false, allow_squash_merge: false, allow_fast_forward_only_merge: false }, shown);
  await edit({ has_pull_requests: true, allow_merge_commits: false, default_merge_style: 'merge' }, shown);
  await edit({ nothing: 1 }, shown);
  await edit({}, shown);
  await edit({ private: 'yes' });
  await edit({ name: 3 });
  await edit({ internal_tracker: 'x' });
}
