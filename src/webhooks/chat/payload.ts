/** The parts of the payloads that chat messages show. */
export interface ChatPayload {
  action?: string;
  number?: number;
  ref?: string;
  ref_type?: string;
  sha?: string;
  compare_url?: string;
  total_commits?: number;
  commits?: ChatCommit[];
  repository?: ChatRepository | null;
  forkee?: ChatRepository;
  sender: ChatUser;
  pusher?: ChatUser;
  issue?: ChatIssue;
  pull_request?: ChatIssue & { merged?: boolean };
  review?: { content: string } | null;
  /** Of an issue; for a wiki page, the message of the change. */
  comment?: { html_url: string; issue_url: string; pull_request_url: string; body: string } | string;
  is_pull?: boolean;
  page?: string;
  release?: { tag_name: string; html_url: string; body: string };
  package?: { name: string; version: string; html_url: string };
  /** Of a status. */
  context?: string;
  description?: string;
  target_url?: string;
  workflow_run?: ChatRun & { display_title: string };
  workflow_job?: ChatRun & { name: string; run_id: number };
}

export interface ChatUser {
  login: string;
  full_name: string;
  avatar_url: string;
  html_url: string;
}

export interface ChatRepository {
  full_name: string;
  html_url: string;
}

export interface ChatCommit {
  id: string;
  url: string;
  message: string;
  author: { name: string } | null;
}

export interface ChatIssue {
  id: number;
  number: number;
  title: string;
  body: string;
  html_url: string;
  user: { login: string };
  assignees: readonly { login: string; html_url: string }[] | null;
  milestone: { id: number; title: string } | null;
}

interface ChatRun {
  id: number;
  html_url: string;
  head_sha: string;
  status: string;
  conclusion: string;
}
