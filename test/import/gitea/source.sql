CREATE TABLE `access` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `user_id` INTEGER NULL, `repo_id` INTEGER NULL, `mode` INTEGER NULL);
INSERT INTO `access` VALUES (1, 2, 1, 4);
INSERT INTO `access` VALUES (2, 3, 2, 2);
INSERT INTO `access` VALUES (3, 3, 4, 1);
CREATE TABLE `access_token` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `uid` INTEGER NULL, `name` TEXT NULL, `token_hash` TEXT NULL, `token_salt` TEXT NULL, `token_last_eight` TEXT NULL, `scope` TEXT NULL, `created_unix` INTEGER NULL, `updated_unix` INTEGER NULL);
INSERT INTO `access_token` VALUES (1, 2, 'all', '499988e6590a1ae72ac6be62459e462fae42817767a9361a02260cf07564c977a631d59d39f5cd8d24edb33e5b50d4155490', 'lQB5LHxrw9', '989588e6', 'all', 1795365275, 1795365275);
INSERT INTO `access_token` VALUES (2, 2, 'reading', 'f73bb953563bd64182da4ca160870fc8b6df5ad1d4332f00b9cbb4ec18b7e9798777bc7a9513632c5b41868931738e8d9944', 'iNX6lf3pG3', '383c1595', 'read:repository,read:user', 1795365275, 1795365275);
CREATE TABLE `action` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `user_id` INTEGER NULL, `op_type` INTEGER NULL, `act_user_id` INTEGER NULL, `repo_id` INTEGER NULL, `comment_id` INTEGER NULL, `is_deleted` INTEGER DEFAULT 0 NOT NULL, `ref_name` TEXT NULL, `is_private` INTEGER DEFAULT 0 NOT NULL, `content` TEXT NULL, `created_unix` INTEGER NULL);
INSERT INTO `action` VALUES (1, 2, 1, 2, 1, 0, 0, '', 1, '', 1795365277);
INSERT INTO `action` VALUES (2, 6, 1, 2, 1, 0, 0, '', 1, '', 1795365277);
INSERT INTO `action` VALUES (3, 2, 1, 2, 2, 0, 0, '', 0, '', 1795365277);
INSERT INTO `action` VALUES (4, 2, 1, 2, 3, 0, 0, '', 0, '', 1795365278);
INSERT INTO `action` VALUES (5, 2, 1, 2, 4, 0, 0, '', 1, '', 1795365279);
INSERT INTO `action` VALUES (6, 2, 2, 2, 4, 0, 0, '', 1, 'old-name', 1795365279);
INSERT INTO `action` VALUES (7, 3, 1, 3, 5, 0, 0, '', 0, '', 1795365280);
INSERT INTO `action` VALUES (8, 2, 6, 2, 2, 0, 0, '', 0, '1|One', 1795365281);
INSERT INTO `action` VALUES (9, 3, 6, 2, 2, 0, 0, '', 0, '1|One', 1795365281);
INSERT INTO `action` VALUES (10, 3, 6, 3, 2, 0, 0, '', 0, '2|Two', 1795365281);
INSERT INTO `action` VALUES (11, 2, 6, 3, 2, 0, 0, '', 0, '2|Two', 1795365281);
INSERT INTO `action` VALUES (12, 3, 10, 3, 2, 5, 0, '', 0, '1|A comment about #2', 1795365281);
INSERT INTO `action` VALUES (13, 2, 10, 3, 2, 5, 0, '', 0, '1|A comment about #2', 1795365281);
INSERT INTO `action` VALUES (14, 2, 5, 2, 2, 0, 0, 'refs/heads/main', 0, '{"Commits":[{"Sha1":"e4d78313c07bf1b709d4b96f61ecf89fd6feb3d4","Message":"Change\n","AuthorEmail":"corpus@example.com","AuthorName":"Corpus","CommitterEmail":"corpus@example.com","CommitterName":"Corpus","Timestamp":"2024-01-01T00:00:00Z"}],"HeadCommit":{"Sha1":"e4d78313c07bf1b709d4b96f61ecf89fd6feb3d4","Message":"Change\n","AuthorEmail":"corpus@example.com","AuthorName":"Corpus","CommitterEmail":"corpus@example.com","CommitterName":"Corpus","Timestamp":"2024-01-01T00:00:00Z"},"CompareURL":"Alice/Demo/compare/0687f1a978c72aab33622d914316ec6a9bb2d500...e4d78313c07bf1b709d4b96f61ecf89fd6feb3d4","Len":1}', 1795365281);
INSERT INTO `action` VALUES (15, 3, 5, 2, 2, 0, 0, 'refs/heads/main', 0, '{"Commits":[{"Sha1":"e4d78313c07bf1b709d4b96f61ecf89fd6feb3d4","Message":"Change\n","AuthorEmail":"corpus@example.com","AuthorName":"Corpus","CommitterEmail":"corpus@example.com","CommitterName":"Corpus","Timestamp":"2024-01-01T00:00:00Z"}],"HeadCommit":{"Sha1":"e4d78313c07bf1b709d4b96f61ecf89fd6feb3d4","Message":"Change\n","AuthorEmail":"corpus@example.com","AuthorName":"Corpus","CommitterEmail":"corpus@example.com","CommitterName":"Corpus","Timestamp":"2024-01-01T00:00:00Z"},"CompareURL":"Alice/Demo/compare/0687f1a978c72aab33622d914316ec6a9bb2d500...e4d78313c07bf1b709d4b96f61ecf89fd6feb3d4","Len":1}', 1795365281);
INSERT INTO `action` VALUES (16, 2, 12, 2, 2, 11, 0, '', 0, '1|', 1795365281);
INSERT INTO `action` VALUES (17, 3, 12, 2, 2, 11, 0, '', 0, '1|', 1795365281);
INSERT INTO `action` VALUES (18, 2, 9, 2, 2, 0, 0, 'refs/tags/v1.0', 0, '{"Commits":null,"HeadCommit":{"Sha1":"e4d78313c07bf1b709d4b96f61ecf89fd6feb3d4","Message":"Change\n","AuthorEmail":"corpus@example.com","AuthorName":"Corpus","CommitterEmail":"corpus@example.com","CommitterName":"Corpus","Timestamp":"2024-01-01T00:00:00Z"},"CompareURL":"Alice/Demo/compare/0000000000000000000000000000000000000000...47574093dc8a4787f67422109f1614c6ad3b6aa6","Len":0}', 1795365281);
INSERT INTO `action` VALUES (19, 3, 9, 2, 2, 0, 0, 'refs/tags/v1.0', 0, '{"Commits":null,"HeadCommit":{"Sha1":"e4d78313c07bf1b709d4b96f61ecf89fd6feb3d4","Message":"Change\n","AuthorEmail":"corpus@example.com","AuthorName":"Corpus","CommitterEmail":"corpus@example.com","CommitterName":"Corpus","Timestamp":"2024-01-01T00:00:00Z"},"CompareURL":"Alice/Demo/compare/0000000000000000000000000000000000000000...47574093dc8a4787f67422109f1614c6ad3b6aa6","Len":0}', 1795365281);
INSERT INTO `action` VALUES (20, 2, 13, 2, 2, 12, 0, '', 0, '1|', 1795365281);
INSERT INTO `action` VALUES (21, 3, 13, 2, 2, 12, 0, '', 0, '1|', 1795365281);
INSERT INTO `action` VALUES (22, 3, 5, 3, 2, 0, 0, 'refs/heads/topic', 0, '', 1795365283);
INSERT INTO `action` VALUES (23, 2, 5, 3, 2, 0, 0, 'refs/heads/topic', 0, '', 1795365283);
INSERT INTO `action` VALUES (24, 3, 7, 3, 2, 0, 0, '', 0, '3|Topic', 1795365283);
INSERT INTO `action` VALUES (25, 2, 7, 3, 2, 0, 0, '', 0, '3|Topic', 1795365283);
INSERT INTO `action` VALUES (26, 3, 5, 3, 2, 0, 0, 'refs/heads/topic', 0, '{"Commits":[{"Sha1":"5c2c8172c0749d53140589de1f48b82eb9f3f4b2","Message":"Change\n","AuthorEmail":"corpus@example.com","AuthorName":"Corpus","CommitterEmail":"corpus@example.com","CommitterName":"Corpus","Timestamp":"2024-01-02T03:04:05Z"}],"HeadCommit":{"Sha1":"5c2c8172c0749d53140589de1f48b82eb9f3f4b2","Message":"Change\n","AuthorEmail":"corpus@example.com","AuthorName":"Corpus","CommitterEmail":"corpus@example.com","CommitterName":"Corpus","Timestamp":"2024-01-02T03:04:05Z"},"CompareURL":"Alice/Demo/compare/e4d78313c07bf1b709d4b96f61ecf89fd6feb3d4...5c2c8172c0749d53140589de1f48b82eb9f3f4b2","Len":1}', 1795365283);
INSERT INTO `action` VALUES (27, 2, 5, 3, 2, 0, 0, 'refs/heads/topic', 0, '{"Commits":[{"Sha1":"5c2c8172c0749d53140589de1f48b82eb9f3f4b2","Message":"Change\n","AuthorEmail":"corpus@example.com","AuthorName":"Corpus","CommitterEmail":"corpus@example.com","CommitterName":"Corpus","Timestamp":"2024-01-02T03:04:05Z"}],"HeadCommit":{"Sha1":"5c2c8172c0749d53140589de1f48b82eb9f3f4b2","Message":"Change\n","AuthorEmail":"corpus@example.com","AuthorName":"Corpus","CommitterEmail":"corpus@example.com","CommitterName":"Corpus","Timestamp":"2024-01-02T03:04:05Z"},"CompareURL":"Alice/Demo/compare/e4d78313c07bf1b709d4b96f61ecf89fd6feb3d4...5c2c8172c0749d53140589de1f48b82eb9f3f4b2","Len":1}', 1795365283);
INSERT INTO `action` VALUES (28, 2, 23, 2, 2, 23, 0, '', 0, '3|Why?', 1795365283);
INSERT INTO `action` VALUES (29, 3, 23, 2, 2, 23, 0, '', 0, '3|Why?', 1795365283);
INSERT INTO `action` VALUES (30, 2, 22, 2, 2, 24, 0, '', 0, '3|Not yet', 1795365283);
INSERT INTO `action` VALUES (31, 3, 22, 2, 2, 24, 0, '', 0, '3|Not yet', 1795365283);
INSERT INTO `action` VALUES (32, 2, 21, 2, 2, 25, 0, '', 0, '3|Now', 1795365285);
INSERT INTO `action` VALUES (33, 3, 21, 2, 2, 25, 0, '', 0, '3|Now', 1795365285);
INSERT INTO `action` VALUES (34, 3, 5, 3, 2, 0, 0, 'refs/heads/topic', 0, '{"Commits":[{"Sha1":"adecc1e65f46cd598ffbf889ffc0a6de68696fdc","Message":"Change\n","AuthorEmail":"corpus@example.com","AuthorName":"Corpus","CommitterEmail":"corpus@example.com","CommitterName":"Corpus","Timestamp":"2024-01-02T03:04:05Z"}],"HeadCommit":{"Sha1":"adecc1e65f46cd598ffbf889ffc0a6de68696fdc","Message":"Change\n","AuthorEmail":"corpus@example.com","AuthorName":"Corpus","CommitterEmail":"corpus@example.com","CommitterName":"Corpus","Timestamp":"2024-01-02T03:04:05Z"},"CompareURL":"Alice/Demo/compare/5c2c8172c0749d53140589de1f48b82eb9f3f4b2...adecc1e65f46cd598ffbf889ffc0a6de68696fdc","Len":1}', 1795365286);
INSERT INTO `action` VALUES (35, 2, 5, 3, 2, 0, 0, 'refs/heads/topic', 0, '{"Commits":[{"Sha1":"adecc1e65f46cd598ffbf889ffc0a6de68696fdc","Message":"Change\n","AuthorEmail":"corpus@example.com","AuthorName":"Corpus","CommitterEmail":"corpus@example.com","CommitterName":"Corpus","Timestamp":"2024-01-02T03:04:05Z"}],"HeadCommit":{"Sha1":"adecc1e65f46cd598ffbf889ffc0a6de68696fdc","Message":"Change\n","AuthorEmail":"corpus@example.com","AuthorName":"Corpus","CommitterEmail":"corpus@example.com","CommitterName":"Corpus","Timestamp":"2024-01-02T03:04:05Z"},"CompareURL":"Alice/Demo/compare/5c2c8172c0749d53140589de1f48b82eb9f3f4b2...adecc1e65f46cd598ffbf889ffc0a6de68696fdc","Len":1}', 1795365286);
INSERT INTO `action` VALUES (36, 3, 7, 3, 2, 0, 0, '', 0, '4|To be merged', 1795365286);
INSERT INTO `action` VALUES (37, 2, 7, 3, 2, 0, 0, '', 0, '4|To be merged', 1795365286);
INSERT INTO `action` VALUES (38, 3, 5, 3, 2, 0, 0, 'refs/heads/merged', 0, '', 1795365286);
INSERT INTO `action` VALUES (39, 2, 5, 3, 2, 0, 0, 'refs/heads/merged', 0, '', 1795365286);
INSERT INTO `action` VALUES (40, 3, 5, 3, 2, 0, 0, 'refs/heads/merged', 0, '{"Commits":[{"Sha1":"9e271877f2d8e3b44031abc6fce9893af01b9b0b","Message":"Change\n","AuthorEmail":"corpus@example.com","AuthorName":"Corpus","CommitterEmail":"corpus@example.com","CommitterName":"Corpus","Timestamp":"2024-01-02T03:04:05Z"}],"HeadCommit":{"Sha1":"9e271877f2d8e3b44031abc6fce9893af01b9b0b","Message":"Change\n","AuthorEmail":"corpus@example.com","AuthorName":"Corpus","CommitterEmail":"corpus@example.com","CommitterName":"Corpus","Timestamp":"2024-01-02T03:04:05Z"},"CompareURL":"Alice/Demo/compare/e4d78313c07bf1b709d4b96f61ecf89fd6feb3d4...9e271877f2d8e3b44031abc6fce9893af01b9b0b","Len":1}', 1795365286);
INSERT INTO `action` VALUES (41, 2, 5, 3, 2, 0, 0, 'refs/heads/merged', 0, '{"Commits":[{"Sha1":"9e271877f2d8e3b44031abc6fce9893af01b9b0b","Message":"Change\n","AuthorEmail":"corpus@example.com","AuthorName":"Corpus","CommitterEmail":"corpus@example.com","CommitterName":"Corpus","Timestamp":"2024-01-02T03:04:05Z"}],"HeadCommit":{"Sha1":"9e271877f2d8e3b44031abc6fce9893af01b9b0b","Message":"Change\n","AuthorEmail":"corpus@example.com","AuthorName":"Corpus","CommitterEmail":"corpus@example.com","CommitterName":"Corpus","Timestamp":"2024-01-02T03:04:05Z"},"CompareURL":"Alice/Demo/compare/e4d78313c07bf1b709d4b96f61ecf89fd6feb3d4...9e271877f2d8e3b44031abc6fce9893af01b9b0b","Len":1}', 1795365286);
INSERT INTO `action` VALUES (42, 2, 11, 2, 2, 0, 0, '', 0, '4|To be merged', 1795365287);
INSERT INTO `action` VALUES (43, 3, 11, 2, 2, 0, 0, '', 0, '4|To be merged', 1795365287);
INSERT INTO `action` VALUES (44, 2, 5, 2, 2, 0, 0, 'refs/heads/main', 0, '{"Commits":[{"Sha1":"7b062031338c46998703267d5210265484a2ccc7","Message":"To be merged (#4)\n\nCo-authored-by: bob \u003cbob@example.com\u003e\nCo-committed-by: bob \u003cbob@example.com\u003e\n","AuthorEmail":"bob@example.com","AuthorName":"bob","CommitterEmail":"2+alice@noreply.localhost","CommitterName":"Alice Liddell","Timestamp":"2026-11-22T16:34:46Z"}],"HeadCommit":{"Sha1":"7b062031338c46998703267d5210265484a2ccc7","Message":"To be merged (#4)\n\nCo-authored-by: bob \u003cbob@example.com\u003e\nCo-committed-by: bob \u003cbob@example.com\u003e\n","AuthorEmail":"bob@example.com","AuthorName":"bob","CommitterEmail":"2+alice@noreply.localhost","CommitterName":"Alice Liddell","Timestamp":"2026-11-22T16:34:46Z"},"CompareURL":"Alice/Demo/compare/e4d78313c07bf1b709d4b96f61ecf89fd6feb3d4...7b062031338c46998703267d5210265484a2ccc7","Len":1}', 1795365288);
INSERT INTO `action` VALUES (45, 3, 5, 2, 2, 0, 0, 'refs/heads/main', 0, '{"Commits":[{"Sha1":"7b062031338c46998703267d5210265484a2ccc7","Message":"To be merged (#4)\n\nCo-authored-by: bob \u003cbob@example.com\u003e\nCo-committed-by: bob \u003cbob@example.com\u003e\n","AuthorEmail":"bob@example.com","AuthorName":"bob","CommitterEmail":"2+alice@noreply.localhost","CommitterName":"Alice Liddell","Timestamp":"2026-11-22T16:34:46Z"}],"HeadCommit":{"Sha1":"7b062031338c46998703267d5210265484a2ccc7","Message":"To be merged (#4)\n\nCo-authored-by: bob \u003cbob@example.com\u003e\nCo-committed-by: bob \u003cbob@example.com\u003e\n","AuthorEmail":"bob@example.com","AuthorName":"bob","CommitterEmail":"2+alice@noreply.localhost","CommitterName":"Alice Liddell","Timestamp":"2026-11-22T16:34:46Z"},"CompareURL":"Alice/Demo/compare/e4d78313c07bf1b709d4b96f61ecf89fd6feb3d4...7b062031338c46998703267d5210265484a2ccc7","Len":1}', 1795365288);
INSERT INTO `action` VALUES (46, 3, 5, 3, 5, 0, 0, 'refs/heads/fork', 0, '', 1795365288);
INSERT INTO `action` VALUES (47, 3, 5, 3, 5, 0, 0, 'refs/heads/fork', 0, '{"Commits":[{"Sha1":"63fd3ec906d36bb5b8eb32c12906557c0ef90621","Message":"Change\n","AuthorEmail":"corpus@example.com","AuthorName":"Corpus","CommitterEmail":"corpus@example.com","CommitterName":"Corpus","Timestamp":"2024-01-02T03:04:05Z"}],"HeadCommit":{"Sha1":"63fd3ec906d36bb5b8eb32c12906557c0ef90621","Message":"Change\n","AuthorEmail":"corpus@example.com","AuthorName":"Corpus","CommitterEmail":"corpus@example.com","CommitterName":"Corpus","Timestamp":"2024-01-02T03:04:05Z"},"CompareURL":"bob/demo-fork/compare/e4d78313c07bf1b709d4b96f61ecf89fd6feb3d4...63fd3ec906d36bb5b8eb32c12906557c0ef90621","Len":1}', 1795365288);
INSERT INTO `action` VALUES (48, 3, 7, 3, 2, 0, 0, '', 0, '5|From a fork', 1795365288);
INSERT INTO `action` VALUES (49, 2, 7, 3, 2, 0, 0, '', 0, '5|From a fork', 1795365288);
INSERT INTO `action` VALUES (50, 2, 24, 2, 2, 0, 0, 'refs/tags/v1.0', 0, 'One', 1795365289);
INSERT INTO `action` VALUES (51, 3, 24, 2, 2, 0, 0, 'refs/tags/v1.0', 0, 'One', 1795365289);
INSERT INTO `action` VALUES (52, 3, 6, 3, 2, 0, 0, '', 0, '6|Notifies', 1795365289);
INSERT INTO `action` VALUES (53, 2, 6, 3, 2, 0, 0, '', 0, '6|Notifies', 1795365289);
INSERT INTO `action` VALUES (54, 2, 5, 2, 2, 0, 0, 'refs/heads/main', 0, '{"Commits":[{"Sha1":"eec31b3af3341e6e4448db1f5e3c1e6fcc3389f4","Message":"Follow up\n\nRefs #1\n","AuthorEmail":"corpus@example.com","AuthorName":"Corpus","CommitterEmail":"corpus@example.com","CommitterName":"Corpus","Timestamp":"2024-01-02T03:04:05Z"}],"HeadCommit":{"Sha1":"eec31b3af3341e6e4448db1f5e3c1e6fcc3389f4","Message":"Follow up\n\nRefs #1\n","AuthorEmail":"corpus@example.com","AuthorName":"Corpus","CommitterEmail":"corpus@example.com","CommitterName":"Corpus","Timestamp":"2024-01-02T03:04:05Z"},"CompareURL":"Alice/Demo/compare/7b062031338c46998703267d5210265484a2ccc7...eec31b3af3341e6e4448db1f5e3c1e6fcc3389f4","Len":1}', 1795365289);
INSERT INTO `action` VALUES (55, 3, 5, 2, 2, 0, 0, 'refs/heads/main', 0, '{"Commits":[{"Sha1":"eec31b3af3341e6e4448db1f5e3c1e6fcc3389f4","Message":"Follow up\n\nRefs #1\n","AuthorEmail":"corpus@example.com","AuthorName":"Corpus","CommitterEmail":"corpus@example.com","CommitterName":"Corpus","Timestamp":"2024-01-02T03:04:05Z"}],"HeadCommit":{"Sha1":"eec31b3af3341e6e4448db1f5e3c1e6fcc3389f4","Message":"Follow up\n\nRefs #1\n","AuthorEmail":"corpus@example.com","AuthorName":"Corpus","CommitterEmail":"corpus@example.com","CommitterName":"Corpus","Timestamp":"2024-01-02T03:04:05Z"},"CompareURL":"Alice/Demo/compare/7b062031338c46998703267d5210265484a2ccc7...eec31b3af3341e6e4448db1f5e3c1e6fcc3389f4","Len":1}', 1795365289);
INSERT INTO `action` VALUES (56, 2, 1, 2, 7, 0, 0, '', 0, '', 1795377813);
INSERT INTO `action` VALUES (57, 2, 5, 2, 7, 0, 0, 'refs/heads/main', 0, '{"Commits":[{"Sha1":"eda1a67a0d3f3091bb19b8dad08948f94183520c","Message":"Change\n","AuthorEmail":"corpus@example.com","AuthorName":"Corpus","CommitterEmail":"corpus@example.com","CommitterName":"Corpus","Timestamp":"2024-01-02T03:04:05Z"}],"HeadCommit":{"Sha1":"eda1a67a0d3f3091bb19b8dad08948f94183520c","Message":"Change\n","AuthorEmail":"corpus@example.com","AuthorName":"Corpus","CommitterEmail":"corpus@example.com","CommitterName":"Corpus","Timestamp":"2024-01-02T03:04:05Z"},"CompareURL":"Alice/automated/compare/1eabd6f0c0d56d9657e4a25b1f45222475f4fb41...eda1a67a0d3f3091bb19b8dad08948f94183520c","Len":1}', 1795377816);
CREATE TABLE `action_artifact` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `run_id` INTEGER NULL, `runner_id` INTEGER NULL, `repo_id` INTEGER NULL, `owner_id` INTEGER NULL, `commit_sha` TEXT NULL, `storage_path` TEXT NULL, `file_size` INTEGER NULL, `file_compressed_size` INTEGER NULL, `content_encoding` TEXT NULL, `artifact_path` TEXT NULL, `artifact_name` TEXT NULL, `status` INTEGER NULL, `created_unix` INTEGER NULL, `updated_unix` INTEGER NULL, `expired_unix` INTEGER NULL);
INSERT INTO `action_artifact` VALUES (1, 1, 1, 7, 2, 'eda1a67a0d3f3091bb19b8dad08948f94183520c', '1/1/1795377816992568529.chunk', 9, 9, 'application/zip', 'report.zip', 'report', 2, 1795377816, 1795377816, 1803153816);
CREATE TABLE `action_run` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `title` TEXT NULL, `repo_id` INTEGER NULL, `owner_id` INTEGER NULL, `workflow_id` TEXT NULL, `index` INTEGER NULL, `trigger_user_id` INTEGER NULL, `schedule_id` INTEGER NULL, `ref` TEXT NULL, `commit_sha` TEXT NULL, `is_fork_pull_request` INTEGER NULL, `need_approval` INTEGER NULL, `approved_by` INTEGER NULL, `event` TEXT NULL, `event_payload` TEXT NULL, `trigger_event` TEXT NULL, `status` INTEGER NULL, `version` INTEGER DEFAULT 0 NULL, `raw_concurrency` TEXT NULL, `concurrency_group` TEXT DEFAULT '' NOT NULL, `concurrency_cancel` INTEGER DEFAULT FALSE NOT NULL, `started` INTEGER NULL, `stopped` INTEGER NULL, `previous_duration` INTEGER NULL, `created` INTEGER NULL, `updated` INTEGER NULL);
INSERT INTO `action_run` VALUES (1, 'Change', 7, 2, 'checks.yml', 1, 2, 0, 'refs/heads/main', 'eda1a67a0d3f3091bb19b8dad08948f94183520c', 0, 0, 0, 'push', '{"ref":"refs/heads/main","before":"1eabd6f0c0d56d9657e4a25b1f45222475f4fb41","after":"eda1a67a0d3f3091bb19b8dad08948f94183520c","compare_url":"http://127.0.0.1:3780/Alice/automated/compare/1eabd6f0c0d56d9657e4a25b1f45222475f4fb41...eda1a67a0d3f3091bb19b8dad08948f94183520c","commits":[{"id":"eda1a67a0d3f3091bb19b8dad08948f94183520c","message":"Change\n","url":"http://127.0.0.1:3780/Alice/automated/commit/eda1a67a0d3f3091bb19b8dad08948f94183520c","author":{"name":"Corpus","email":"corpus@example.com","username":""},"committer":{"name":"Corpus","email":"corpus@example.com","username":""},"verification":null,"timestamp":"2024-01-02T03:04:05Z","added":[".gitea/workflows/checks.yml",".gitea/workflows/nightly.yml"],"removed":[],"modified":[]}],"total_commits":0,"head_commit":{"id":"eda1a67a0d3f3091bb19b8dad08948f94183520c","message":"Change\n","url":"http://127.0.0.1:3780/Alice/automated/commit/eda1a67a0d3f3091bb19b8dad08948f94183520c","author":{"name":"Corpus","email":"corpus@example.com","username":""},"committer":{"name":"Corpus","email":"corpus@example.com","username":""},"verification":null,"timestamp":"2024-01-02T03:04:05Z","added":[".gitea/workflows/checks.yml",".gitea/workflows/nightly.yml"],"removed":[],"modified":[]},"repository":{"id":7,"owner":{"id":2,"login":"Alice","login_name":"","source_id":0,"full_name":"Alice Liddell","email":"2+alice@noreply.localhost","avatar_url":"http://127.0.0.1:3780/avatars/19502ff3e27024d715488c29945f3b36362b51cc8e5e36a8ae3c1fca219b6441","html_url":"http://127.0.0.1:3780/Alice","language":"","is_admin":false,"last_login":"0001-01-01T00:00:00Z","created":"2026-11-22T16:34:35Z","restricted":false,"active":false,"prohibit_login":false,"location":"Oxford","website":"https://alice.example","description":"","visibility":"public","followers_count":1,"following_count":1,"starred_repos_count":0,"username":"Alice"},"name":"automated","full_name":"Alice/automated","description":"","empty":false,"private":false,"fork":false,"template":false,"mirror":false,"size":25,"language":"","languages_url":"http://127.0.0.1:3780/api/v1/repos/Alice/automated/languages","html_url":"http://127.0.0.1:3780/Alice/automated","url":"http://127.0.0.1:3780/api/v1/repos/Alice/automated","link":"","ssh_url":"nobody@localhost:Alice/automated.git","clone_url":"http://127.0.0.1:3780/Alice/automated.git","original_url":"","website":"","stars_count":0,"forks_count":0,"watchers_count":1,"branch_count":1,"open_issues_count":0,"open_pr_counter":0,"release_counter":0,"default_branch":"main","archived":false,"created_at":"2026-11-22T20:03:32Z","updated_at":"2026-11-22T20:03:33Z","archived_at":"1970-01-01T00:00:00Z","permissions":{"admin":true,"push":true,"pull":true},"has_code":true,"has_issues":true,"internal_tracker":{"enable_time_tracker":true,"allow_only_contributors_to_track_time":true,"enable_issue_dependencies":true},"has_wiki":true,"has_pull_requests":true,"has_projects":true,"projects_mode":"all","has_releases":true,"has_packages":true,"has_actions":true,"ignore_whitespace_conflicts":false,"allow_merge_commits":true,"allow_rebase":true,"allow_rebase_explicit":true,"allow_squash_merge":true,"allow_fast_forward_only_merge":true,"allow_rebase_update":true,"allow_manual_merge":false,"autodetect_manual_merge":false,"default_delete_branch_after_merge":false,"default_merge_style":"merge","default_allow_maintainer_edit":true,"avatar_url":"","internal":false,"mirror_interval":"","object_format_name":"sha1","mirror_updated":"0001-01-01T00:00:00Z","topics":[],"licenses":[]},"pusher":{"id":2,"login":"Alice","login_name":"","source_id":0,"full_name":"Alice Liddell","email":"2+alice@noreply.localhost","avatar_url":"http://127.0.0.1:3780/avatars/19502ff3e27024d715488c29945f3b36362b51cc8e5e36a8ae3c1fca219b6441","html_url":"http://127.0.0.1:3780/Alice","language":"","is_admin":false,"last_login":"0001-01-01T00:00:00Z","created":"2026-11-22T16:34:35Z","restricted":false,"active":false,"prohibit_login":false,"location":"Oxford","website":"https://alice.example","description":"","visibility":"public","followers_count":1,"following_count":1,"starred_repos_count":0,"username":"Alice"},"sender":{"id":2,"login":"Alice","login_name":"","source_id":0,"full_name":"Alice Liddell","email":"2+alice@noreply.localhost","avatar_url":"http://127.0.0.1:3780/avatars/19502ff3e27024d715488c29945f3b36362b51cc8e5e36a8ae3c1fca219b6441","html_url":"http://127.0.0.1:3780/Alice","language":"","is_admin":false,"last_login":"0001-01-01T00:00:00Z","created":"2026-11-22T16:34:35Z","restricted":false,"active":false,"prohibit_login":false,"location":"Oxford","website":"https://alice.example","description":"","visibility":"public","followers_count":1,"following_count":1,"starred_repos_count":0,"username":"Alice"}}', 'push', 5, 6, 'checks-${{ github.ref }}
', 'checks-refs/heads/main', 0, 1795377816, 0, 0, 1795377816, 1795377818);
CREATE TABLE `action_run_index` (`group_id` INTEGER PRIMARY KEY NOT NULL, `max_index` INTEGER NULL);
INSERT INTO `action_run_index` VALUES (7, 1);
CREATE TABLE `action_run_job` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `run_id` INTEGER NULL, `repo_id` INTEGER NULL, `owner_id` INTEGER NULL, `commit_sha` TEXT NULL, `is_fork_pull_request` INTEGER NULL, `name` TEXT NULL, `attempt` INTEGER NULL, `workflow_payload` BLOB NULL, `job_id` TEXT NULL, `needs` TEXT NULL, `runs_on` TEXT NULL, `task_id` INTEGER NULL, `status` INTEGER NULL, `raw_concurrency` TEXT NULL, `is_concurrency_evaluated` INTEGER NULL, `concurrency_group` TEXT DEFAULT '' NOT NULL, `concurrency_cancel` INTEGER DEFAULT FALSE NOT NULL, `token_permissions` TEXT NULL, `started` INTEGER NULL, `stopped` INTEGER NULL, `created` INTEGER NULL, `updated` INTEGER NULL);
INSERT INTO `action_run_job` VALUES (1, 1, 7, 2, 'eda1a67a0d3f3091bb19b8dad08948f94183520c', 0, 'first', 1, X'6E616D653A20436865636B730A226F6E223A205B707573682C20776F726B666C6F775F64697370617463685D0A6A6F62733A0A2020202066697273743A0A20202020202020206E616D653A2066697273740A202020202020202072756E732D6F6E3A206C696E75780A202020202020202073746570733A0A2020202020202020202020202D2069643A206F6E650A202020202020202020202020202072756E3A206563686F206F6E650A20202020202020206F7574707574733A0A202020202020202020202020616E737765723A20247B7B2073746570732E6F6E652E6F7574707574732E616E73776572207D7D0A20202020202020207065726D697373696F6E733A207B636F6E74656E74733A20726561647D0A', 'first', 'null', '["linux"]', 1, 1, '', 0, '', 0, '{"unit_access_modes":{"1":1,"10":0,"2":0,"3":0,"4":1,"5":0,"8":0,"9":0}}', 1795377816, 1704164655, 1795377816, 1795377817);
INSERT INTO `action_run_job` VALUES (2, 1, 7, 2, 'eda1a67a0d3f3091bb19b8dad08948f94183520c', 0, 'second', 0, X'6E616D653A20436865636B730A226F6E223A205B707573682C20776F726B666C6F775F64697370617463685D0A6A6F62733A0A202020207365636F6E643A0A20202020202020206E616D653A207365636F6E640A202020202020202072756E732D6F6E3A0A2020202020202020202020202D206C696E75780A2020202020202020202020202D206770750A202020202020202069663A20616C7761797328290A202020202020202073746570733A0A2020202020202020202020202D2072756E3A206563686F2074776F0A', 'second', '["first"]', '["linux","gpu"]', 0, 5, '', 1, '', 0, NULL, 0, 0, 1795377816, 1795377818);
CREATE TABLE `action_runner` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `uuid` TEXT NULL, `name` TEXT NULL, `version` TEXT NULL, `owner_id` INTEGER NULL, `repo_id` INTEGER NULL, `description` TEXT NULL, `base` INTEGER NULL, `repo_range` TEXT NULL, `token_hash` TEXT NULL, `token_salt` TEXT NULL, `last_online` INTEGER NULL, `last_active` INTEGER NULL, `agent_labels` TEXT NULL, `ephemeral` INTEGER DEFAULT 0 NOT NULL, `is_disabled` INTEGER DEFAULT 0 NOT NULL, `created` INTEGER NULL, `updated` INTEGER NULL, `deleted` INTEGER NULL);
INSERT INTO `action_runner` VALUES (1, '11eaeea3-4955-4e95-8a92-562f7fcc296f', 'builder', 'v0.2.11', 0, 7, '', 0, '', '5eeb0f302f9993bb37de15a0517d6af079820a93dbf8cc8261c7bffbd60c0227b385bacf90ff088822d5d35d7f9299d68f7e', 'IMbx0pPV9c', 1795377817, 1795377817, '["linux"]', 0, 0, 1795377813, 1795377817, NULL);
CREATE TABLE `action_runner_token` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `token` TEXT NULL, `owner_id` INTEGER NULL, `repo_id` INTEGER NULL, `is_active` INTEGER NULL, `created` INTEGER NULL, `updated` INTEGER NULL, `deleted` INTEGER NULL);
INSERT INTO `action_runner_token` VALUES (1, 'EBU6DR3uOb6OQUDNFc7TeldvmimKv5QSzJ4XocdN', 0, 7, 1, 1795377813, 1795377813, NULL);
CREATE TABLE `action_schedule` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `title` TEXT NULL, `specs` TEXT NULL, `repo_id` INTEGER NULL, `owner_id` INTEGER NULL, `workflow_id` TEXT NULL, `trigger_user_id` INTEGER NULL, `ref` TEXT NULL, `commit_sha` TEXT NULL, `event` TEXT NULL, `event_payload` TEXT NULL, `content` BLOB NULL, `created` INTEGER NULL, `updated` INTEGER NULL);
INSERT INTO `action_schedule` VALUES (1, 'Change', '["30 3 * * *"]', 7, 2, 'nightly.yml', -2, 'refs/heads/main', 'eda1a67a0d3f3091bb19b8dad08948f94183520c', 'push', '{"ref":"refs/heads/main","before":"1eabd6f0c0d56d9657e4a25b1f45222475f4fb41","after":"eda1a67a0d3f3091bb19b8dad08948f94183520c","compare_url":"http://127.0.0.1:3780/Alice/automated/compare/1eabd6f0c0d56d9657e4a25b1f45222475f4fb41...eda1a67a0d3f3091bb19b8dad08948f94183520c","commits":[{"id":"eda1a67a0d3f3091bb19b8dad08948f94183520c","message":"Change\n","url":"http://127.0.0.1:3780/Alice/automated/commit/eda1a67a0d3f3091bb19b8dad08948f94183520c","author":{"name":"Corpus","email":"corpus@example.com","username":""},"committer":{"name":"Corpus","email":"corpus@example.com","username":""},"verification":null,"timestamp":"2024-01-02T03:04:05Z","added":[".gitea/workflows/checks.yml",".gitea/workflows/nightly.yml"],"removed":[],"modified":[]}],"total_commits":0,"head_commit":{"id":"eda1a67a0d3f3091bb19b8dad08948f94183520c","message":"Change\n","url":"http://127.0.0.1:3780/Alice/automated/commit/eda1a67a0d3f3091bb19b8dad08948f94183520c","author":{"name":"Corpus","email":"corpus@example.com","username":""},"committer":{"name":"Corpus","email":"corpus@example.com","username":""},"verification":null,"timestamp":"2024-01-02T03:04:05Z","added":[".gitea/workflows/checks.yml",".gitea/workflows/nightly.yml"],"removed":[],"modified":[]},"repository":{"id":7,"owner":{"id":2,"login":"Alice","login_name":"","source_id":0,"full_name":"Alice Liddell","email":"2+alice@noreply.localhost","avatar_url":"http://127.0.0.1:3780/avatars/19502ff3e27024d715488c29945f3b36362b51cc8e5e36a8ae3c1fca219b6441","html_url":"http://127.0.0.1:3780/Alice","language":"","is_admin":false,"last_login":"0001-01-01T00:00:00Z","created":"2026-11-22T16:34:35Z","restricted":false,"active":false,"prohibit_login":false,"location":"Oxford","website":"https://alice.example","description":"","visibility":"public","followers_count":1,"following_count":1,"starred_repos_count":0,"username":"Alice"},"name":"automated","full_name":"Alice/automated","description":"","empty":false,"private":false,"fork":false,"template":false,"mirror":false,"size":25,"language":"","languages_url":"http://127.0.0.1:3780/api/v1/repos/Alice/automated/languages","html_url":"http://127.0.0.1:3780/Alice/automated","url":"http://127.0.0.1:3780/api/v1/repos/Alice/automated","link":"","ssh_url":"nobody@localhost:Alice/automated.git","clone_url":"http://127.0.0.1:3780/Alice/automated.git","original_url":"","website":"","stars_count":0,"forks_count":0,"watchers_count":1,"branch_count":1,"open_issues_count":0,"open_pr_counter":0,"release_counter":0,"default_branch":"main","archived":false,"created_at":"2026-11-22T20:03:32Z","updated_at":"2026-11-22T20:03:33Z","archived_at":"1970-01-01T00:00:00Z","permissions":{"admin":true,"push":true,"pull":true},"has_code":true,"has_issues":true,"internal_tracker":{"enable_time_tracker":true,"allow_only_contributors_to_track_time":true,"enable_issue_dependencies":true},"has_wiki":true,"has_pull_requests":true,"has_projects":true,"projects_mode":"all","has_releases":true,"has_packages":true,"has_actions":true,"ignore_whitespace_conflicts":false,"allow_merge_commits":true,"allow_rebase":true,"allow_rebase_explicit":true,"allow_squash_merge":true,"allow_fast_forward_only_merge":true,"allow_rebase_update":true,"allow_manual_merge":false,"autodetect_manual_merge":false,"default_delete_branch_after_merge":false,"default_merge_style":"merge","default_allow_maintainer_edit":true,"avatar_url":"","internal":false,"mirror_interval":"","object_format_name":"sha1","mirror_updated":"0001-01-01T00:00:00Z","topics":[],"licenses":[]},"pusher":{"id":2,"login":"Alice","login_name":"","source_id":0,"full_name":"Alice Liddell","email":"2+alice@noreply.localhost","avatar_url":"http://127.0.0.1:3780/avatars/19502ff3e27024d715488c29945f3b36362b51cc8e5e36a8ae3c1fca219b6441","html_url":"http://127.0.0.1:3780/Alice","language":"","is_admin":false,"last_login":"0001-01-01T00:00:00Z","created":"2026-11-22T16:34:35Z","restricted":false,"active":false,"prohibit_login":false,"location":"Oxford","website":"https://alice.example","description":"","visibility":"public","followers_count":1,"following_count":1,"starred_repos_count":0,"username":"Alice"},"sender":{"id":2,"login":"Alice","login_name":"","source_id":0,"full_name":"Alice Liddell","email":"2+alice@noreply.localhost","avatar_url":"http://127.0.0.1:3780/avatars/19502ff3e27024d715488c29945f3b36362b51cc8e5e36a8ae3c1fca219b6441","html_url":"http://127.0.0.1:3780/Alice","language":"","is_admin":false,"last_login":"0001-01-01T00:00:00Z","created":"2026-11-22T16:34:35Z","restricted":false,"active":false,"prohibit_login":false,"location":"Oxford","website":"https://alice.example","description":"","visibility":"public","followers_count":1,"following_count":1,"starred_repos_count":0,"username":"Alice"}}', X'6F6E3A0A20207363686564756C653A0A202020202D2063726F6E3A202233302033202A202A202A220A6A6F62733A0A20206A6F623A0A2020202072756E732D6F6E3A206C696E75780A2020202073746570733A0A2020202020202D2072756E3A206563686F206E696768740A', 1795377816, 1795377816);
CREATE TABLE `action_schedule_spec` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `repo_id` INTEGER NULL, `schedule_id` INTEGER NULL, `next` INTEGER NULL, `prev` INTEGER NULL, `spec` TEXT NULL, `created` INTEGER NULL, `updated` INTEGER NULL);
INSERT INTO `action_schedule_spec` VALUES (1, 7, 1, 1795404600, 0, '30 3 * * *', 1795377816, 1795377816);
CREATE TABLE `action_task` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `job_id` INTEGER NULL, `attempt` INTEGER NULL, `runner_id` INTEGER NULL, `status` INTEGER NULL, `started` INTEGER NULL, `stopped` INTEGER NULL, `repo_id` INTEGER NULL, `owner_id` INTEGER NULL, `commit_sha` TEXT NULL, `is_fork_pull_request` INTEGER NULL, `token_hash` TEXT NULL, `token_salt` TEXT NULL, `token_last_eight` TEXT NULL, `log_filename` TEXT NULL, `log_in_storage` INTEGER NULL, `log_length` INTEGER NULL, `log_size` INTEGER NULL, `log_indexes` BLOB NULL, `log_expired` INTEGER NULL, `created` INTEGER NULL, `updated` INTEGER NULL);
INSERT INTO `action_task` VALUES (1, 1, 1, 1, 1, 1795377816, 1704164655, 7, 2, 'eda1a67a0d3f3091bb19b8dad08948f94183520c', 0, 'fab6478e93319ac7dcb98fd357a5a4239ebe4cbf47ddea7030c2596c6bd39ea91a294c6ee226c02864f68c7a355c146fc315', '2ly38qara6', 'e93beada', 'Alice/automated/01/1.log.zst', 1, 3, 103, X'00488A01', 0, 1795377816, 1795377817);
CREATE TABLE `action_task_output` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `task_id` INTEGER NULL, `output_key` TEXT NULL, `output_value` TEXT NULL);
INSERT INTO `action_task_output` VALUES (1, 1, 'answer', '42');
CREATE TABLE `action_task_step` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `name` TEXT NULL, `task_id` INTEGER NULL, `index` INTEGER NULL, `repo_id` INTEGER NULL, `status` INTEGER NULL, `log_index` INTEGER NULL, `log_length` INTEGER NULL, `started` INTEGER NULL, `stopped` INTEGER NULL, `created` INTEGER NULL, `updated` INTEGER NULL);
INSERT INTO `action_task_step` VALUES (1, 'Run echo one', 1, 0, 7, 1, 1, 1, 1704164645, 1704164655, 1795377816, 1795377817);
CREATE TABLE `action_tasks_version` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `owner_id` INTEGER NULL, `repo_id` INTEGER NULL, `version` INTEGER NULL, `created_unix` INTEGER NULL, `updated_unix` INTEGER NULL);
INSERT INTO `action_tasks_version` VALUES (1, 0, 0, 3, 1795377815, 1795377815);
INSERT INTO `action_tasks_version` VALUES (2, 0, 7, 3, 1795377815, 1795377815);
INSERT INTO `action_tasks_version` VALUES (3, 2, 0, 2, 1795377816, 1795377816);
CREATE TABLE `action_variable` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `owner_id` INTEGER NULL, `repo_id` INTEGER NULL, `name` TEXT NOT NULL, `data` TEXT NOT NULL, `description` TEXT NULL, `created_unix` INTEGER NOT NULL, `updated_unix` INTEGER NULL);
CREATE TABLE `app_state` (`id` TEXT PRIMARY KEY NOT NULL, `revision` INTEGER NULL, `content` TEXT NULL);
CREATE TABLE `attachment` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `uuid` UUID NULL, `repo_id` INTEGER NULL, `issue_id` INTEGER NULL, `release_id` INTEGER NULL, `uploader_id` INTEGER DEFAULT 0 NULL, `comment_id` INTEGER NULL, `name` TEXT NULL, `download_count` INTEGER DEFAULT 0 NULL, `size` INTEGER DEFAULT 0 NULL, `created_unix` INTEGER NULL);
INSERT INTO `attachment` VALUES (1, '110ece3b-1aad-4b30-ac7b-61c187a700c3', 2, 1, 0, 2, 0, 'log.txt', 0, 6, 1795365281);
INSERT INTO `attachment` VALUES (2, '05a1e61a-8286-4250-8dfb-92c52dba0207', 2, 1, 0, 3, 5, 'log.txt', 0, 6, 1795365281);
INSERT INTO `attachment` VALUES (3, 'c32b282d-71f2-4e63-99e1-5d6d33d0f50b', 2, 0, 2, 2, 0, 'demo.bin', 0, 6, 1795365289);
CREATE TABLE `auth_token` (`id` TEXT PRIMARY KEY NOT NULL, `token_hash` TEXT NULL, `user_id` INTEGER NULL, `expires_unix` INTEGER NULL);
CREATE TABLE `badge` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `slug` TEXT NULL, `description` TEXT NULL, `image_url` TEXT NULL);
CREATE TABLE `branch` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `repo_id` INTEGER NULL, `name` TEXT NOT NULL, `commit_id` TEXT NULL, `commit_message` TEXT NULL, `pusher_id` INTEGER NULL, `is_deleted` INTEGER NULL, `deleted_by_id` INTEGER NULL, `deleted_unix` INTEGER NULL, `commit_time` INTEGER NULL, `created_unix` INTEGER NULL, `updated_unix` INTEGER NULL);
INSERT INTO `branch` VALUES (1, 1, 'main', 'f473cb084c322b5c4cd02a7c3af6d7c37e0ad047', 'Initial commit', 2, 0, 0, 0, 1795365276, 1795365277, 1795365277);
INSERT INTO `branch` VALUES (2, 2, 'main', 'eec31b3af3341e6e4448db1f5e3c1e6fcc3389f4', 'Follow up', 2, 0, 0, 0, 1704164645, 1795365277, 1795365289);
INSERT INTO `branch` VALUES (3, 3, 'main', 'dc49d26f10a45d20662773a8317677d71f18fe6b', 'Initial commit', 2, 0, 0, 0, 1795365278, 1795365278, 1795365278);
INSERT INTO `branch` VALUES (4, 4, 'main', 'd27fba83ba86ece6f1a8514e4ab7ac2e2b05ffe5', 'Initial commit', 2, 0, 0, 0, 1795365278, 1795365279, 1795365279);
INSERT INTO `branch` VALUES (5, 5, 'main', 'e4d78313c07bf1b709d4b96f61ecf89fd6feb3d4', 'Change', 3, 0, 0, 0, 1704067200, 1795365280, 1795365280);
INSERT INTO `branch` VALUES (6, 2, 'topic', 'adecc1e65f46cd598ffbf889ffc0a6de68696fdc', 'Change', 3, 0, 0, 0, 1704164645, 1795365282, 1795365284);
INSERT INTO `branch` VALUES (7, 2, 'merged', '9e271877f2d8e3b44031abc6fce9893af01b9b0b', 'Change', 3, 0, 0, 0, 1704164645, 1795365285, 1795365285);
INSERT INTO `branch` VALUES (8, 5, 'fork', '63fd3ec906d36bb5b8eb32c12906557c0ef90621', 'Change', 3, 0, 0, 0, 1704164645, 1795365288, 1795365288);
INSERT INTO `branch` VALUES (9, 6, 'main', 'e4d78313c07bf1b709d4b96f61ecf89fd6feb3d4', 'Change', 2, 0, 0, 0, 1704067200, 1795365289, 1795365289);
INSERT INTO `branch` VALUES (10, 6, 'fork', '63fd3ec906d36bb5b8eb32c12906557c0ef90621', 'Change', 2, 0, 0, 0, 1704164645, 1795365289, 1795365289);
INSERT INTO `branch` VALUES (11, 7, 'main', 'eda1a67a0d3f3091bb19b8dad08948f94183520c', 'Change', 2, 0, 0, 0, 1704164645, 1795377813, 1795377815);
CREATE TABLE `collaboration` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `repo_id` INTEGER NOT NULL, `user_id` INTEGER NOT NULL, `mode` INTEGER DEFAULT 2 NOT NULL, `created_unix` INTEGER NULL, `updated_unix` INTEGER NULL);
INSERT INTO `collaboration` VALUES (1, 2, 3, 2, 1795365280, 1795365280);
INSERT INTO `collaboration` VALUES (2, 4, 3, 1, 1795365280, 1795365280);
CREATE TABLE `comment` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `type` INTEGER NULL, `poster_id` INTEGER NULL, `original_author` TEXT NULL, `original_author_id` INTEGER NULL, `issue_id` INTEGER NULL, `label_id` INTEGER NULL, `old_project_id` INTEGER NULL, `project_id` INTEGER NULL, `old_milestone_id` INTEGER NULL, `milestone_id` INTEGER NULL, `time_id` INTEGER NULL, `assignee_id` INTEGER NULL, `removed_assignee` INTEGER NULL, `assignee_team_id` INTEGER DEFAULT 0 NOT NULL, `resolve_doer_id` INTEGER NULL, `old_title` TEXT NULL, `new_title` TEXT NULL, `old_ref` TEXT NULL, `new_ref` TEXT NULL, `dependent_issue_id` INTEGER NULL, `commit_id` INTEGER NULL, `line` INTEGER NULL, `tree_path` TEXT NULL, `content` TEXT NULL, `content_version` INTEGER DEFAULT 0 NOT NULL, `patch` TEXT NULL, `created_unix` INTEGER NULL, `updated_unix` INTEGER NULL, `commit_sha` TEXT NULL, `review_id` INTEGER NULL, `invalidated` INTEGER NULL, `ref_repo_id` INTEGER NULL, `ref_issue_id` INTEGER NULL, `ref_comment_id` INTEGER NULL, `ref_action` INTEGER NULL, `ref_is_pull` INTEGER NULL, `comment_meta_data` TEXT NULL);
INSERT INTO `comment` VALUES (1, 8, 2, '', 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, '', '', '', '', 0, 0, 0, '', '', 0, '', 1795365281, 1795365281, '', 0, 0, 0, 0, 0, 0, 0, NULL);
INSERT INTO `comment` VALUES (2, 7, 2, '', 0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, '', '', '', '', 0, 0, 0, '', '1', 0, '', 1795365281, 1795365281, '', 0, 0, 0, 0, 0, 0, 0, NULL);
INSERT INTO `comment` VALUES (3, 9, 2, '', 0, 1, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, '', '', '', '', 0, 0, 0, '', '', 0, '', 1795365281, 1795365281, '', 0, 0, 0, 0, 0, 0, 0, NULL);
INSERT INTO `comment` VALUES (4, 3, 3, '', 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '', '', '', '', 0, 0, 0, '', '', 0, '', 1795365281, 1795365281, '', 0, 0, 2, 2, 0, 0, 0, NULL);
INSERT INTO `comment` VALUES (5, 0, 3, '', 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '', '', '', '', 0, 0, 0, '', 'A comment about #2', 1, '', 1795365281, 1795365281, '', 0, 0, 0, 0, 0, 0, 0, NULL);
INSERT INTO `comment` VALUES (6, 5, 3, '', 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '', '', '', '', 0, 0, 0, '', '', 0, '', 1795365281, 1795365281, '', 0, 0, 2, 1, 5, 0, 0, NULL);
INSERT INTO `comment` VALUES (7, 10, 2, '', 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 'One', 'One, renamed', '', '', 0, 0, 0, '', '', 0, '', 1795365281, 1795365281, '', 0, 0, 0, 0, 0, 0, 0, NULL);
INSERT INTO `comment` VALUES (8, 16, 2, '', 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '', '', '', '', 0, 0, 0, '', '2030-01-02', 0, '', 1795365281, 1795365281, '', 0, 0, 0, 0, 0, 0, 0, NULL);
INSERT INTO `comment` VALUES (9, 8, 2, '', 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, '', '', '', '', 0, 0, 0, '', '', 0, '', 1795365281, 1795365281, '', 0, 0, 0, 0, 0, 0, 0, NULL);
INSERT INTO `comment` VALUES (10, 8, 2, '', 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, '', '', '', '', 0, 0, 0, '', '', 0, '', 1795365281, 1795365281, '', 0, 0, 0, 0, 0, 0, 0, NULL);
INSERT INTO `comment` VALUES (11, 2, 2, '', 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '', '', '', '', 0, 0, 0, '', '', 0, '', 1795365281, 1795365281, '', 0, 0, 0, 0, 0, 0, 0, NULL);
INSERT INTO `comment` VALUES (12, 1, 2, '', 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '', '', '', '', 0, 0, 0, '', '', 0, '', 1795365281, 1795365281, '', 0, 0, 0, 0, 0, 0, 0, NULL);
INSERT INTO `comment` VALUES (13, 9, 2, '', 0, 1, 0, 0, 0, 0, 0, 0, 3, 1, 0, 0, '', '', '', '', 0, 0, 0, '', '', 0, '', 1795365281, 1795365281, '', 0, 0, 0, 0, 0, 0, 0, NULL);
INSERT INTO `comment` VALUES (14, 9, 2, '', 0, 1, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, '', '', '', '', 0, 0, 0, '', '', 0, '', 1795365282, 1795365282, '', 0, 0, 0, 0, 0, 0, 0, NULL);
INSERT INTO `comment` VALUES (15, 19, 2, '', 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '', '', '', '', 2, 0, 0, '', '', 0, '', 1795365282, 1795365282, '', 0, 0, 0, 0, 0, 0, 0, NULL);
INSERT INTO `comment` VALUES (16, 19, 2, '', 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '', '', '', '', 1, 0, 0, '', '', 0, '', 1795365282, 1795365282, '', 0, 0, 0, 0, 0, 0, 0, NULL);
INSERT INTO `comment` VALUES (17, 14, 2, '', 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, '', '', '', '', 0, 0, 0, '', '|3600', 0, '', 1795365282, 1795365282, '', 0, 0, 0, 0, 0, 0, 0, NULL);
INSERT INTO `comment` VALUES (18, 12, 2, '', 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '', '', '', '', 0, 0, 0, '', '', 0, '', 1795365282, 1795365282, '', 0, 0, 0, 0, 0, 0, 0, NULL);
INSERT INTO `comment` VALUES (19, 36, 2, '', 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '', '', '', '', 0, 0, 0, '', '', 0, '', 1795365282, 1795365282, '', 0, 0, 0, 0, 0, 0, 0, NULL);
INSERT INTO `comment` VALUES (20, 23, 2, '', 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '', '', '', '', 0, 0, 0, '', 'Spam', 0, '', 1795365282, 1795365282, '', 0, 0, 0, 0, 0, 0, 0, NULL);
INSERT INTO `comment` VALUES (21, 6, 3, '', 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '', '', '', '', 0, 0, 0, '', '', 0, '', 1795365283, 1795365283, '', 0, 0, 2, 3, 0, 1, 1, NULL);
INSERT INTO `comment` VALUES (22, 29, 3, '', 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '', '', '', '', 0, 0, 0, '', '{"is_force_push":false,"commit_ids":["5c2c8172c0749d53140589de1f48b82eb9f3f4b2"]}', 0, '', 1795365283, 1795365283, '', 0, 0, 0, 0, 0, 0, 0, NULL);
INSERT INTO `comment` VALUES (23, 21, 2, '', 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '', '', '', '', 0, 0, 2, 'b.txt', 'Why?', 0, 'diff --git a/b.txt b/b.txt
--- /dev/null
+++ b/b.txt
@@ -0,0 +1,3 @@
+one
+two', 1795365283, 1795365283, '5c2c8172c0749d53140589de1f48b82eb9f3f4b2', 1, 0, 0, 0, 0, 0, 0, NULL);
INSERT INTO `comment` VALUES (24, 22, 2, '', 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '', '', '', '', 0, 0, 0, '', 'Not yet', 0, '', 1795365283, 1795365283, '', 1, 0, 0, 0, 0, 0, 0, NULL);
INSERT INTO `comment` VALUES (25, 22, 2, '', 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '', '', '', '', 0, 0, 0, '', 'Now', 0, '', 1795365284, 1795365284, '', 2, 0, 0, 0, 0, 0, 0, NULL);
INSERT INTO `comment` VALUES (26, 29, 3, '', 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '', '', '', '', 0, 0, 0, '', '{"is_force_push":false,"commit_ids":["9e271877f2d8e3b44031abc6fce9893af01b9b0b"]}', 0, '', 1795365286, 1795365286, '', 0, 0, 0, 0, 0, 0, 0, NULL);
INSERT INTO `comment` VALUES (27, 29, 3, '', 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '', '', '', '', 0, 0, 0, '', '{"is_force_push":false,"commit_ids":["adecc1e65f46cd598ffbf889ffc0a6de68696fdc"]}', 0, '', 1795365286, 1795365286, '', 0, 0, 0, 0, 0, 0, 0, NULL);
INSERT INTO `comment` VALUES (28, 27, 3, '', 0, 4, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, '', '', '', '', 0, 0, 0, '', '', 0, '', 1795365286, 1795365286, '', 3, 0, 0, 0, 0, 0, 0, NULL);
INSERT INTO `comment` VALUES (29, 28, 2, '', 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '', '', '', '', 0, 0, 0, '', '', 0, '', 1795365287, 1795365287, '', 0, 0, 0, 0, 0, 0, 0, NULL);
INSERT INTO `comment` VALUES (30, 29, 3, '', 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '', '', '', '', 0, 0, 0, '', '{"is_force_push":false,"commit_ids":["63fd3ec906d36bb5b8eb32c12906557c0ef90621"]}', 0, '', 1795365288, 1795365288, '', 0, 0, 0, 0, 0, 0, 0, NULL);
INSERT INTO `comment` VALUES (31, 4, 2, '', 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '', '', '', '', 0, 0, 0, '', '<a href="/Alice/Demo/commit/eec31b3af3341e6e4448db1f5e3c1e6fcc3389f4">Follow up</a>', 0, '', 1795365289, 1795365289, 'eec31b3af3341e6e4448db1f5e3c1e6fcc3389f4', 0, 0, 0, 0, 0, 0, 0, NULL);
CREATE TABLE `commit_status` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `index` INTEGER NULL, `repo_id` INTEGER NULL, `state` TEXT NOT NULL, `sha` TEXT NOT NULL, `target_url` TEXT NULL, `description` TEXT NULL, `context_hash` TEXT NULL, `context` TEXT NULL, `creator_id` INTEGER NULL, `created_unix` INTEGER NULL, `updated_unix` INTEGER NULL);
INSERT INTO `commit_status` VALUES (1, 1, 2, 'success', 'eec31b3af3341e6e4448db1f5e3c1e6fcc3389f4', 'https://ci.example/1', 'Built', '5a4fe08359c7f97380e408c717ef42c86939cd86', 'ci', 2, 1795365289, 1795365289);
INSERT INTO `commit_status` VALUES (2, 1, 7, 'pending', 'eda1a67a0d3f3091bb19b8dad08948f94183520c', '/Alice/automated/actions/runs/1/jobs/1', 'Has started running', 'ad14d58500c880e4c3ad4f7f742d1e5ddcda7a45', 'Checks / first (push)', -2, 1795377816, 1795377816);
INSERT INTO `commit_status` VALUES (3, 2, 7, 'pending', 'eda1a67a0d3f3091bb19b8dad08948f94183520c', '/Alice/automated/actions/runs/1/jobs/1', 'Waiting to run', 'ad14d58500c880e4c3ad4f7f742d1e5ddcda7a45', 'Checks / first (push)', -2, 1795377816, 1795377816);
INSERT INTO `commit_status` VALUES (4, 3, 7, 'pending', 'eda1a67a0d3f3091bb19b8dad08948f94183520c', '/Alice/automated/actions/runs/1/jobs/2', 'Blocked by required conditions', 'b210a5d317334ec0f2f6658ddc48fade55afd4af', 'Checks / second (push)', -2, 1795377816, 1795377816);
INSERT INTO `commit_status` VALUES (5, 4, 7, 'success', 'eda1a67a0d3f3091bb19b8dad08948f94183520c', '/Alice/automated/actions/runs/1/jobs/1', 'Successful in 1s', 'ad14d58500c880e4c3ad4f7f742d1e5ddcda7a45', 'Checks / first (push)', -2, 1795377817, 1795377817);
INSERT INTO `commit_status` VALUES (6, 5, 7, 'pending', 'eda1a67a0d3f3091bb19b8dad08948f94183520c', '/Alice/automated/actions/runs/1/jobs/2', 'Waiting to run', 'b210a5d317334ec0f2f6658ddc48fade55afd4af', 'Checks / second (push)', -2, 1795377818, 1795377818);
CREATE TABLE `commit_status_index` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `repo_id` INTEGER NULL, `sha` TEXT NULL, `max_index` INTEGER NULL);
INSERT INTO `commit_status_index` VALUES (1, 2, 'eec31b3af3341e6e4448db1f5e3c1e6fcc3389f4', 1);
INSERT INTO `commit_status_index` VALUES (2, 7, 'eda1a67a0d3f3091bb19b8dad08948f94183520c', 5);
CREATE TABLE `commit_status_summary` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `repo_id` INTEGER NULL, `sha` TEXT NOT NULL, `state` TEXT NOT NULL, `target_url` TEXT NULL);
INSERT INTO `commit_status_summary` VALUES (1, 2, 'eec31b3af3341e6e4448db1f5e3c1e6fcc3389f4', 'success', 'https://ci.example/1');
INSERT INTO `commit_status_summary` VALUES (2, 7, 'eda1a67a0d3f3091bb19b8dad08948f94183520c', 'pending', '/Alice/automated/actions/runs/1/jobs/2');
CREATE TABLE `dbfs_data` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `revision` INTEGER NOT NULL, `meta_id` INTEGER NOT NULL, `blob_offset` INTEGER NOT NULL, `blob_size` INTEGER NOT NULL, `blob_data` BLOB NOT NULL);
CREATE TABLE `dbfs_meta` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `full_path` TEXT NOT NULL, `block_size` INTEGER NOT NULL, `file_size` INTEGER NOT NULL, `create_timestamp` INTEGER NOT NULL, `modify_timestamp` INTEGER NOT NULL);
CREATE TABLE `deploy_key` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `key_id` INTEGER NULL, `repo_id` INTEGER NULL, `name` TEXT NULL, `fingerprint` TEXT NULL, `mode` INTEGER DEFAULT 1 NOT NULL, `created_unix` INTEGER NULL, `updated_unix` INTEGER NULL);
INSERT INTO `deploy_key` VALUES (1, 2, 2, 'deploy', 'SHA256:hugJdA+/0gxiocAQeDG5RyamNU/QDDGLu5rAf7qQem8', 1, 1795365280, 1795365280);
CREATE TABLE `email_address` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `uid` INTEGER NOT NULL, `email` TEXT NOT NULL, `lower_email` TEXT NOT NULL, `is_activated` INTEGER NULL, `is_primary` INTEGER DEFAULT 0 NOT NULL);
INSERT INTO `email_address` VALUES (1, 1, 'root@example.com', 'root@example.com', 1, 1);
INSERT INTO `email_address` VALUES (2, 2, 'alice@example.com', 'alice@example.com', 1, 1);
INSERT INTO `email_address` VALUES (3, 3, 'bob@example.com', 'bob@example.com', 1, 1);
INSERT INTO `email_address` VALUES (4, 4, 'carol@example.com', 'carol@example.com', 1, 1);
INSERT INTO `email_address` VALUES (5, 2, 'alice@other.example', 'alice@other.example', 1, 0);
INSERT INTO `email_address` VALUES (6, 5, 'renamed@example.com', 'renamed@example.com', 1, 1);
CREATE TABLE `email_hash` (`hash` TEXT PRIMARY KEY NOT NULL, `email` TEXT NOT NULL);
CREATE TABLE `external_login_user` (`external_id` TEXT NOT NULL, `user_id` INTEGER NOT NULL, `login_source_id` INTEGER NOT NULL, `raw_data` TEXT NULL, `provider` TEXT NULL, `email` TEXT NULL, `name` TEXT NULL, `first_name` TEXT NULL, `last_name` TEXT NULL, `nick_name` TEXT NULL, `description` TEXT NULL, `avatar_url` TEXT NULL, `location` TEXT NULL, `access_token` TEXT NULL, `access_token_secret` TEXT NULL, `refresh_token` TEXT NULL, `expires_at` DATETIME NULL, PRIMARY KEY (`external_id`,`login_source_id`));
CREATE TABLE `follow` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `user_id` INTEGER NULL, `follow_id` INTEGER NULL, `created_unix` INTEGER NULL);
INSERT INTO `follow` VALUES (1, 2, 3, 1795365275);
INSERT INTO `follow` VALUES (2, 3, 2, 1795365275);
CREATE TABLE `gpg_key` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `owner_id` INTEGER NOT NULL, `key_id` TEXT NOT NULL, `primary_key_id` TEXT NULL, `content` TEXT NOT NULL, `created_unix` INTEGER NULL, `expired_unix` INTEGER NULL, `added_unix` INTEGER NULL, `emails` TEXT NULL, `verified` INTEGER DEFAULT 0 NOT NULL, `can_sign` INTEGER NULL, `can_encrypt_comms` INTEGER NULL, `can_encrypt_storage` INTEGER NULL, `can_certify` INTEGER NULL);
CREATE TABLE `gpg_key_import` (`key_id` TEXT PRIMARY KEY NOT NULL, `content` TEXT NOT NULL);
CREATE TABLE `hook_task` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `hook_id` INTEGER NULL, `uuid` TEXT NULL, `payload_content` TEXT NULL, `payload_version` INTEGER DEFAULT 1 NULL, `event_type` TEXT NULL, `is_delivered` INTEGER NULL, `delivered` INTEGER NULL, `is_succeed` INTEGER NULL, `request_content` TEXT NULL, `response_content` TEXT NULL);
CREATE TABLE `issue` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `repo_id` INTEGER NULL, `index` INTEGER NULL, `poster_id` INTEGER NULL, `original_author` TEXT NULL, `original_author_id` INTEGER NULL, `name` TEXT NULL, `content` TEXT NULL, `content_version` INTEGER DEFAULT 0 NOT NULL, `milestone_id` INTEGER NULL, `priority` INTEGER NULL, `is_closed` INTEGER NULL, `is_pull` INTEGER NULL, `num_comments` INTEGER NULL, `ref` TEXT NULL, `deadline_unix` INTEGER NULL, `created_unix` INTEGER NULL, `updated_unix` INTEGER NULL, `closed_unix` INTEGER NULL, `is_locked` INTEGER DEFAULT 0 NOT NULL, `time_estimate` INTEGER DEFAULT 0 NOT NULL);
INSERT INTO `issue` VALUES (1, 2, 1, 2, '', 0, 'One, renamed', 'The *first* @bob', 1, 1, 0, 0, 0, 1, '', 1893628799, 1795365281, 1795365289, 0, 0, 0);
INSERT INTO `issue` VALUES (2, 2, 2, 3, '', 0, 'Two', 'See #1', 0, 0, 0, 0, 0, 0, '', 0, 1795365281, 1795365283, 0, 1, 0);
INSERT INTO `issue` VALUES (3, 2, 3, 3, '', 0, 'Topic', 'Closes #2', 0, 0, 0, 0, 1, 2, '', 0, 1795365283, 1795365286, 0, 0, 0);
INSERT INTO `issue` VALUES (4, 2, 4, 3, '', 0, 'To be merged', '', 0, 0, 0, 1, 1, 0, '', 0, 1795365285, 1795365287, 1795365287, 0, 0);
INSERT INTO `issue` VALUES (5, 2, 5, 3, '', 0, 'From a fork', '', 0, 0, 0, 0, 1, 0, '', 0, 1795365288, 1795365288, 0, 0, 0);
INSERT INTO `issue` VALUES (6, 2, 6, 3, '', 0, 'Notifies', '@Alice', 0, 0, 0, 0, 0, 0, '', 0, 1795365289, 1795365289, 0, 0, 0);
CREATE TABLE `issue_assignees` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `assignee_id` INTEGER NULL, `issue_id` INTEGER NULL);
INSERT INTO `issue_assignees` VALUES (2, 3, 1);
CREATE TABLE `issue_content_history` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `poster_id` INTEGER NULL, `issue_id` INTEGER NULL, `comment_id` INTEGER NULL, `edited_unix` INTEGER NULL, `content_text` TEXT NULL, `is_first_created` INTEGER NULL, `is_deleted` INTEGER NULL);
CREATE TABLE `issue_dependency` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `user_id` INTEGER NOT NULL, `issue_id` INTEGER NOT NULL, `dependency_id` INTEGER NOT NULL, `created_unix` INTEGER NULL, `updated_unix` INTEGER NULL);
INSERT INTO `issue_dependency` VALUES (1, 2, 1, 2, 1795365282, 1795365282);
CREATE TABLE `issue_index` (`group_id` INTEGER PRIMARY KEY NOT NULL, `max_index` INTEGER NULL);
INSERT INTO `issue_index` VALUES (2, 6);
INSERT INTO `issue_index` VALUES (6, 0);
CREATE TABLE `issue_label` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `issue_id` INTEGER NULL, `label_id` INTEGER NULL);
INSERT INTO `issue_label` VALUES (1, 1, 2);
CREATE TABLE `issue_pin` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `repo_id` INTEGER NOT NULL, `issue_id` INTEGER NOT NULL, `is_pull` INTEGER NOT NULL, `pin_order` INTEGER DEFAULT 0 NULL);
INSERT INTO `issue_pin` VALUES (1, 2, 1, 0, 1);
CREATE TABLE `issue_user` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `uid` INTEGER NULL, `issue_id` INTEGER NULL, `is_read` INTEGER NULL, `is_mentioned` INTEGER NULL);
INSERT INTO `issue_user` VALUES (1, 3, 1, 0, 1);
INSERT INTO `issue_user` VALUES (2, 2, 1, 0, 0);
INSERT INTO `issue_user` VALUES (3, 3, 2, 0, 0);
INSERT INTO `issue_user` VALUES (4, 2, 2, 0, 0);
INSERT INTO `issue_user` VALUES (5, 3, 3, 0, 0);
INSERT INTO `issue_user` VALUES (6, 2, 3, 0, 0);
INSERT INTO `issue_user` VALUES (7, 3, 4, 0, 0);
INSERT INTO `issue_user` VALUES (8, 2, 4, 1, 0);
INSERT INTO `issue_user` VALUES (9, 3, 5, 0, 0);
INSERT INTO `issue_user` VALUES (10, 2, 5, 0, 0);
INSERT INTO `issue_user` VALUES (11, 3, 6, 0, 0);
INSERT INTO `issue_user` VALUES (12, 2, 6, 0, 1);
CREATE TABLE `issue_watch` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `user_id` INTEGER NOT NULL, `issue_id` INTEGER NOT NULL, `is_watching` INTEGER NOT NULL, `created_unix` INTEGER NOT NULL, `updated_unix` INTEGER NOT NULL);
CREATE TABLE `label` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `repo_id` INTEGER NULL, `org_id` INTEGER NULL, `name` TEXT NULL, `exclusive` INTEGER NULL, `exclusive_order` INTEGER DEFAULT 0 NULL, `description` TEXT NULL, `color` TEXT NULL, `num_issues` INTEGER NULL, `num_closed_issues` INTEGER NULL, `created_unix` INTEGER NULL, `updated_unix` INTEGER NULL, `archived_unix` INTEGER DEFAULT NULL NULL);
INSERT INTO `label` VALUES (1, 0, 6, 'shared', 0, 0, '', '#00aabb', 0, 0, 1795365277, 1795365277, 0);
INSERT INTO `label` VALUES (2, 2, 0, 'bug', 0, 0, 'Broken', '#ee0701', 1, 0, 1795365280, 1795365281, 0);
INSERT INTO `label` VALUES (3, 2, 0, 'kind/idea', 1, 0, '', '#0000ee', 0, 0, 1795365281, 1795365281, 0);
CREATE TABLE `language_stat` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `repo_id` INTEGER NOT NULL, `commit_id` TEXT NULL, `is_primary` INTEGER NULL, `language` TEXT NOT NULL, `size` INTEGER DEFAULT 0 NOT NULL, `created_unix` INTEGER NULL);
INSERT INTO `language_stat` VALUES (1, 2, 'eec31b3af3341e6e4448db1f5e3c1e6fcc3389f4', 1, 'JavaScript', 20, 1795365283);
INSERT INTO `language_stat` VALUES (2, 5, 'e4d78313c07bf1b709d4b96f61ecf89fd6feb3d4', 1, 'JavaScript', 20, 1795365288);
INSERT INTO `language_stat` VALUES (3, 6, 'e4d78313c07bf1b709d4b96f61ecf89fd6feb3d4', 1, 'JavaScript', 20, 1795365290);
CREATE TABLE `lfs_lock` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `repo_id` INTEGER NOT NULL, `owner_id` INTEGER NOT NULL, `path` TEXT NULL, `created` DATETIME NULL);
INSERT INTO `lfs_lock` VALUES (1, 2, 2, 'big.bin', '2026-11-22 16:34:49');
CREATE TABLE `lfs_meta_object` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `oid` TEXT NOT NULL, `size` INTEGER NOT NULL, `repository_id` INTEGER NOT NULL, `created_unix` INTEGER NULL, `updated_unix` INTEGER NULL);
INSERT INTO `lfs_meta_object` VALUES (1, 'bb9f8b6bfc1f21e9915abe2b08ddd222b3aaf691c70247316243566576ea7930', 13, 2, 1795365289, 1795365289);
CREATE TABLE `login_source` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `type` INTEGER NULL, `name` TEXT NULL, `is_active` INTEGER DEFAULT 0 NOT NULL, `is_sync_enabled` INTEGER DEFAULT 0 NOT NULL, `two_factor_policy` TEXT DEFAULT '' NOT NULL, `cfg` TEXT NULL, `created_unix` INTEGER NULL, `updated_unix` INTEGER NULL);
CREATE TABLE `milestone` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `repo_id` INTEGER NULL, `name` TEXT NULL, `content` TEXT NULL, `is_closed` INTEGER NULL, `num_issues` INTEGER NULL, `num_closed_issues` INTEGER NULL, `completeness` INTEGER NULL, `created_unix` INTEGER NULL, `updated_unix` INTEGER NULL, `deadline_unix` INTEGER NULL, `closed_date_unix` INTEGER NULL);
INSERT INTO `milestone` VALUES (1, 2, 'v1', 'First', 0, 1, 0, 0, 1795365281, 1795365281, 1924992000, 0);
CREATE TABLE `mirror` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `repo_id` INTEGER NULL, `interval` INTEGER NULL, `enable_prune` INTEGER DEFAULT 1 NOT NULL, `updated_unix` INTEGER NULL, `next_update_unix` INTEGER NULL, `lfs_enabled` INTEGER DEFAULT 0 NOT NULL, `lfs_endpoint` TEXT NULL, `remote_address` TEXT NULL);
INSERT INTO `mirror` VALUES (1, 6, 28800000000000, 1, 1795365289, 1795365289, 0, '', 'http://127.0.0.1:3780/bob/demo-fork.git');
CREATE TABLE `notice` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `type` INTEGER NULL, `description` TEXT NULL, `created_unix` INTEGER NULL);
CREATE TABLE `notification` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `user_id` INTEGER NOT NULL, `repo_id` INTEGER NOT NULL, `status` INTEGER NOT NULL, `source` INTEGER NOT NULL, `issue_id` INTEGER NOT NULL, `commit_id` TEXT NULL, `comment_id` INTEGER NULL, `updated_by` INTEGER NOT NULL, `created_unix` INTEGER NOT NULL, `updated_unix` INTEGER NOT NULL);
INSERT INTO `notification` VALUES (1, 3, 4, 1, 4, 0, '', 0, 2, 1795365280, 1795365280);
INSERT INTO `notification` VALUES (2, 3, 2, 1, 1, 1, '', 3, 2, 1795365282, 1795365283);
INSERT INTO `notification` VALUES (3, 2, 2, 1, 1, 2, '', 0, 3, 1795365282, 1795365282);
INSERT INTO `notification` VALUES (4, 2, 2, 1, 1, 1, '', 5, 3, 1795365282, 1795365282);
INSERT INTO `notification` VALUES (5, 2, 2, 1, 2, 3, '', 0, 3, 1795365284, 1795365286);
INSERT INTO `notification` VALUES (6, 3, 2, 1, 2, 3, '', 24, 2, 1795365284, 1795365285);
INSERT INTO `notification` VALUES (7, 2, 2, 1, 2, 4, '', 0, 3, 1795365286, 1795365286);
INSERT INTO `notification` VALUES (8, 3, 2, 1, 2, 4, '', 0, 2, 1795365288, 1795365288);
INSERT INTO `notification` VALUES (9, 2, 2, 1, 2, 5, '', 0, 3, 1795365289, 1795365289);
INSERT INTO `notification` VALUES (10, 2, 2, 1, 1, 6, '', 0, 3, 1795365290, 1795365290);
CREATE TABLE `oauth2_application` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `uid` INTEGER NULL, `name` TEXT NULL, `client_id` TEXT NULL, `client_secret` TEXT NULL, `confidential_client` INTEGER DEFAULT TRUE NOT NULL, `skip_secondary_authorization` INTEGER DEFAULT FALSE NOT NULL, `redirect_uris` TEXT NULL, `created_unix` INTEGER NULL, `updated_unix` INTEGER NULL);
INSERT INTO `oauth2_application` VALUES (1, 0, 'git-credential-oauth', 'a4792ccc-144e-407e-86c9-5e7d8d9c3269', '', 0, 0, '["http://127.0.0.1","https://127.0.0.1"]', 1795365274, 1795365274);
INSERT INTO `oauth2_application` VALUES (2, 0, 'Git Credential Manager', 'e90ee53c-94e2-48ac-9358-a874fb9e0662', '', 0, 0, '["http://127.0.0.1","https://127.0.0.1"]', 1795365274, 1795365274);
INSERT INTO `oauth2_application` VALUES (3, 0, 'tea', 'd57cb8c4-630c-4168-8324-ec79935e18d4', '', 0, 0, '["http://127.0.0.1","https://127.0.0.1"]', 1795365274, 1795365274);
INSERT INTO `oauth2_application` VALUES (4, 2, 'CI', 'ae6b961f-5e2d-4c40-acc4-96b6c181b753', '$2a$10$lPy7PhIQmevXWxAwFCv/wepF33.pQmebsb69lKwA7fBz9Z2xvPzq6', 1, 0, '["https://ci.example/callback"]', 1795365275, 1795365275);
CREATE TABLE `oauth2_authorization_code` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `grant_id` INTEGER NULL, `code` TEXT NULL, `code_challenge` TEXT NULL, `code_challenge_method` TEXT NULL, `redirect_uri` TEXT NULL, `valid_until` INTEGER NULL);
CREATE TABLE `oauth2_grant` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `user_id` INTEGER NULL, `application_id` INTEGER NULL, `counter` INTEGER DEFAULT 1 NOT NULL, `scope` TEXT NULL, `nonce` TEXT NULL, `created_unix` INTEGER NULL, `updated_unix` INTEGER NULL);
CREATE TABLE `org_user` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `uid` INTEGER NULL, `org_id` INTEGER NULL, `is_public` INTEGER NULL);
INSERT INTO `org_user` VALUES (1, 2, 6, 1);
INSERT INTO `org_user` VALUES (2, 3, 6, 0);
CREATE TABLE `package` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `owner_id` INTEGER NOT NULL, `repo_id` INTEGER NULL, `type` TEXT NOT NULL, `name` TEXT NOT NULL, `lower_name` TEXT NOT NULL, `semver_compatible` INTEGER DEFAULT 0 NOT NULL, `is_internal` INTEGER DEFAULT 0 NOT NULL);
INSERT INTO `package` VALUES (1, 2, 2, 'npm', 'left', 'left', 1, 0);
INSERT INTO `package` VALUES (2, 2, 0, 'pypi', 'My-Tool', 'my-tool', 0, 0);
INSERT INTO `package` VALUES (3, 2, 0, 'maven', 'org.example:core', 'org.example:core', 0, 0);
INSERT INTO `package` VALUES (4, 2, 0, 'cargo', 'my-crate', 'my-crate', 1, 0);
INSERT INTO `package` VALUES (5, 2, 0, 'debian', 'tool', 'tool', 0, 0);
INSERT INTO `package` VALUES (6, 2, 0, 'debian', '_debian', '_debian', 0, 1);
INSERT INTO `package` VALUES (7, 2, 0, 'alpine', 'hello', 'hello', 0, 0);
INSERT INTO `package` VALUES (8, 2, 0, 'alpine', '_alpine', '_alpine', 0, 1);
INSERT INTO `package` VALUES (9, 2, 0, 'generic', 'Tool', 'tool', 0, 0);
INSERT INTO `package` VALUES (10, 2, 0, 'container', 'shop/app', 'shop/app', 0, 0);
CREATE TABLE `package_blob` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `size` INTEGER DEFAULT 0 NOT NULL, `hash_md5` TEXT NOT NULL, `hash_sha1` TEXT NOT NULL, `hash_sha256` TEXT NOT NULL, `hash_sha512` TEXT NOT NULL, `created_unix` INTEGER NOT NULL);
INSERT INTO `package_blob` VALUES (1, 138, 'cb091041425a0a982dc1e55edfa24af7', '5561c4280176ade4b653dc5bae5b410d61800dd6', '0b7385ab2e0fb0674935c3d2d9562df8de7fc2ca1ac91f0dc3b2c548f8e70efb', '0c3b71579bfba741e73e465a393da8d1092685af2bcd9c3c95a9852542272b8a27916a4d04f904b3490e598a342fcbe60a1a5af9b9e9227868ce59e167aff447', 1795377804);
INSERT INTO `package_blob` VALUES (2, 142, '3ddb314d7096015ddbdca1b9c9ca0bdf', '27ba342b7fa77efa1769ef2f2b12574c78e271c5', '7b241fb6dc7ce521f6ff1568ad6e61312fa037490ab328d211ca645d6f84ed09', '05c1f1edf7f686028b0d687503fd9a4801f7425553672ea5608b650d73f19af8fe55f5c235073669adc440632ea049a077e0e3c21f7af596cb215c83a509f0d9', 1795377804);
INSERT INTO `package_blob` VALUES (3, 125, '14789c123b273a5125e4595e0d354f8e', '154cdd36d51e319e392ebff784dbb8886c40d27a', '65c89e5613ce83b7dc1b6233a58890facff7a5c450768ee2dbb20c8341ad4bc1', 'fda44d00b715d0d6ec6284d01766e1ddced3184cde57acd8384f66850ce6dff05d9a5154040e8c1249fe4b4c6de332fa2c0796e845cf2f64fad61a912974736f', 1795377805);
INSERT INTO `package_blob` VALUES (4, 117, 'dc4b2dd04a693a6e06282393e683270f', '61efce08c3597017c552e60fca1df8c3676e0f5d', '61d163d84ed6c35c067a83aa1496605e7bd0ecade2719bfb99d1c5ec3ae15322', '728de3a33f2d27b453c3a621d68aa0b29475a442a29cd0a04bd6a6b886140a8e0dcf7991226cc9daa2aebc64966a0787573929baa32b00e31fe3b5ab350ddab3', 1795377805);
INSERT INTO `package_blob` VALUES (5, 160, '1d6ba8dff04c60ca613a1f075c591ac7', 'ee546f19292f94bf3e7e285a76218090c8e37af9', 'cf0f9b9898a0c30c7673aadfa7dab0ba578e9b91561799f58d183c95beb4f81a', '5ad57bac6866303c08b72dbcb3de7da5a43574925d7be9e2dc5dd543add1793d7e6956bce86d463a0e6a4ea0a0e9ec34bae279513e9a78da13541f463835c8e5', 1795377805);
INSERT INTO `package_blob` VALUES (6, 107, 'd211c0c6a8f45d7d21e7c956183dd475', 'fa16bf0408055f5cf2839ce5ad4afdcbaff0dba9', '4267bb17a94ba4c583f340e879c01c8fe973d7f55d92ec85f7bccb8f8bd37e91', 'ef0319c8ef51dddc955d363d09af0247d987bad05bec9d540c4b023494b655911dd49da2084423997665054c4e2d13abb8bfe9e5a9723ef5137076a5f330ecc8', 1795377805);
INSERT INTO `package_blob` VALUES (7, 410, '9640b2942c8f824f54a1bb7b486cff19', '73b7eff5b9aedd41ca5a7af762e1c376e58f6ce4', '7c3099b21a2bc8cbc53d49bafee027fcb740a243eebd301b1c38c70ee0d5db76', '95a455eb8ba13f97e8ab86d5223b19a7726d701ce4ab75ea4dd7d9f3f8dca1c3228b36475ae0018e559fb50466bac773e440fc09d4bdf1c91f0a90893701813d', 1795377805);
INSERT INTO `package_blob` VALUES (8, 466, '3e24c17d1b6cefdb8efa5ada48fcc66a', '0a530a871ea113864b22b89ced3b74be28ed28b9', '98ad88548116dd1414b84b95acd97941501e68c3f526070c56ef300c3b4c90e6', 'fa3d3dbb75fecf7e4c698b58ad11ccf5167f810566632aa9960259ae20e28ee75596c5701be6667d1aa023beb80fe584197e39a7957d9a8d229ac0e538fc3ccd', 1795377805);
INSERT INTO `package_blob` VALUES (9, 358, 'b4f0fd4e877e4ca719f8aa5538e47242', '8c55c47bd3f6dea9fde8998f1efe0578df32b267', '25bc46a82c891cc7a7bc40287881c774820a4e0f4ea1a7b51307f8b41d687ed8', '34f5aec8955e9143a8a3504088fdd62c59396c55ee17de3f842dd136911c04f48c7ed73da65d41c637e3c61c60fc21edd18641efe4a9ccd6a055cbd2855971e9', 1795377805);
INSERT INTO `package_blob` VALUES (10, 424, '07e36b92863177b9fac89ac020274eb9', 'b72cf24736e95b6292699cd3ec33d6eb28d301ab', 'cf7e3bf89ee3918913af4865fcaaa387310bec7971f300b530218086c381d807', 'c89554e864961f13412f866af61a03c4996404d211341804ab0c143a655d0924e2f2b61e90e854af62b17155a28be79ec8a62766b0980d49a9768c3c67170b9e', 1795377805);
INSERT INTO `package_blob` VALUES (11, 1395, 'd8f6869f6747e21b3934898c63fed25f', '37c4ac414a5696f3b1b80aecd0abe450de53b0c9', '08aaa3477c509580b38b75e87c65eaccff185f71d85149651e6115eb835fa44a', '282464a76155611649d1328e0c7f64da9e5dba332cb9aa3badeb61a93e0d883a258087365b5641c9b368d79fe71e704a7893cd726fb309d83ea37cfd04bdbb70', 1795377810);
INSERT INTO `package_blob` VALUES (12, 905, 'b48c58b928b0fc4264fe7060e80d8c46', '55ae34da066c9dc4cde36331eb736ef863b1d53d', '815115c4f1be549eacee257a4b43ddb1163a69d3048666c29db3ef5447f03194', '5979a091231fb2643d9f7b6556917ca3b8e1012501ac39a8b1903db31ddb6cf4238f0be6c5c4c6c60d65098e13880f50b7e43a1116aea0a1a26050d67a0e8836', 1795377810);
INSERT INTO `package_blob` VALUES (13, 2344, '7c7050952fdb674b84569910d0f5313f', 'ed2775d80cca9d5576d7f146266ee41fff0484c9', '55a3775002922eb2213cda46ae40225e4fa2c534e3549f7f73c0090bd47038f8', 'f6faab3f866b84df046b776e98934b0087fd55d9946a0aa54b4c7d943c2f65ac6af6d2897659543ccddb1c47444d63b6f1f7d4b06b461ec38493737776c4028e', 1795377810);
INSERT INTO `package_blob` VALUES (14, 300, 'a5da575383227344751aa3c4a84dea60', '1b19f0783662bb07b08f03af1cf8fbbadb5e222f', '4a3b30ffef0887084c05ebd06af32e4d1e2f3774b6b9e2b9d6fb9e4301220a20', '30f0857c0d6033b94c5eede56a3d1fa73368854e0c5d24d228fe07c2e90f29d0ae11d2355575488914d94813242c3a1d57c0954a79b72581c52cc38885eb2e50', 1795377810);
INSERT INTO `package_blob` VALUES (15, 904, 'e8545753dda4181261f1f410d16148d7', '335a1bf010122668a880f9d2bd8fc77feb815533', '1bb93cc9ccdff3519cd3d05dc736b957b52c3ca0fb9bf0bab7b1b3f130c1e1fb', '25f7047668964856c1f3dd9836af3bbfe8b141af9a5119c12b4c3572f8cdb30547c179c5ac925eff692b829ad7efce82b117cb25c109147976df47ab5bb5d72b', 1795377811);
INSERT INTO `package_blob` VALUES (16, 7, '330eedb4dfc7f6f6a7afbde0ec1551b6', '4263468bc7a0c584fbaa66c7daabc3078f8329f5', '99e29f83703d695b9d2e446c6992c279ddb30a42bdd32a51f7b3e7c294d9198c', '133a56b5267a9a3c7c74088a604c2ae8c21d936b942f00cb65e09409ef80edd684c400e0a434023e50e00b92a34917e2b8579d742f4932a914bad08af0f5e7db', 1795377811);
INSERT INTO `package_blob` VALUES (17, 101, '525493aae5a596b68698d02fa6047353', '237591b83847caadeb3acaa4e2fbb50f2c86722c', '986fb4d3aed22dad053da30e0c9bafa5ba9c23ae56a9606ba0163c84db6e4f95', 'b93e8d7c5f591ce59f567382e59bea1c01e6483165c0b495067f70ec9c922300436e719de50a8914ffd0e642d6c3e2a8b7e3593fc26616c14c0fb0846ce3cb21', 1795377811);
INSERT INTO `package_blob` VALUES (18, 7, '85d8b423fbec0a13ce0b146e7741d886', '48a590c4dfdc68a20ea14970ed8c4f4a516147cc', 'e28d98ac666afd34f089b971a663264d54d67a60ddc82996d48d8f3c204eb75f', 'dbafdfcccda6cab01f8b26d2615b50ccb68ccf428c82f8dbd1d90ce2a08b0015e91190f7e98c8bb529bb4757b77e80ed19b3886cb4209276b60405ec636516c4', 1795377811);
INSERT INTO `package_blob` VALUES (19, 399, '77e728a72085fc62c67000339a91de38', '57da2e6e034aba242c2ed4be704c3c953e0dadaf', '92ae9878884f4b3ca4f0f122c9b387ebcb31082ca27452d997c4632c6e8be3ab', '50964f01504a7c3dd9a5ba8d0e7e27aba7bbe3d8b56254498f178019ddc8ef9de50e643c55df2ebb0c80dd5e8ca213aa7674ceed724bb8ee0f84086f062a9705', 1795377811);
CREATE TABLE `package_blob_upload` (`id` TEXT PRIMARY KEY NOT NULL, `bytes_received` INTEGER DEFAULT 0 NOT NULL, `hash_state_bytes` BLOB NULL, `created_unix` INTEGER NOT NULL, `updated_unix` INTEGER NOT NULL);
CREATE TABLE `package_cleanup_rule` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `enabled` INTEGER DEFAULT 0 NOT NULL, `owner_id` INTEGER DEFAULT 0 NOT NULL, `type` TEXT NOT NULL, `keep_count` INTEGER DEFAULT 0 NOT NULL, `keep_pattern` TEXT DEFAULT '' NOT NULL, `remove_days` INTEGER DEFAULT 0 NOT NULL, `remove_pattern` TEXT DEFAULT '' NOT NULL, `match_full_name` INTEGER DEFAULT 0 NOT NULL, `created_unix` INTEGER DEFAULT 0 NOT NULL, `updated_unix` INTEGER DEFAULT 0 NOT NULL);
CREATE TABLE `package_file` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `version_id` INTEGER NOT NULL, `blob_id` INTEGER NOT NULL, `name` TEXT NOT NULL, `lower_name` TEXT NOT NULL, `composite_key` TEXT NULL, `is_lead` INTEGER DEFAULT 0 NOT NULL, `created_unix` INTEGER NOT NULL);
INSERT INTO `package_file` VALUES (1, 1, 1, 'left-1.0.0.tgz', 'left-1.0.0.tgz', '', 1, 1795377804);
INSERT INTO `package_file` VALUES (2, 2, 2, 'left-1.1.0-rc.1.tgz', 'left-1.1.0-rc.1.tgz', '', 1, 1795377804);
INSERT INTO `package_file` VALUES (3, 3, 3, 'my_tool-1.0.tar.gz', 'my_tool-1.0.tar.gz', '', 1, 1795377805);
INSERT INTO `package_file` VALUES (4, 4, 4, 'core-1.0.pom', 'core-1.0.pom', '', 1, 1795377805);
INSERT INTO `package_file` VALUES (5, 4, 5, 'core-1.0.jar', 'core-1.0.jar', '', 0, 1795377805);
INSERT INTO `package_file` VALUES (6, 5, 6, 'my-crate-1.0.0.crate', 'my-crate-1.0.0.crate', '', 1, 1795377805);
INSERT INTO `package_file` VALUES (7, 6, 7, 'tool_1.0-1_amd64.deb', 'tool_1.0-1_amd64.deb', 'bookworm|main', 1, 1795377805);
INSERT INTO `package_file` VALUES (8, 7, 8, 'Packages', 'packages', 'bookworm|main|amd64', 0, 1795377805);
INSERT INTO `package_file` VALUES (9, 7, 9, 'Packages.gz', 'packages.gz', 'bookworm|main|amd64', 0, 1795377805);
INSERT INTO `package_file` VALUES (10, 7, 10, 'Packages.xz', 'packages.xz', 'bookworm|main|amd64', 0, 1795377805);
INSERT INTO `package_file` VALUES (11, 7, 11, 'Release', 'release', 'bookworm', 0, 1795377810);
INSERT INTO `package_file` VALUES (12, 7, 12, 'Release.gpg', 'release.gpg', 'bookworm', 0, 1795377810);
INSERT INTO `package_file` VALUES (13, 7, 13, 'InRelease', 'inrelease', 'bookworm', 0, 1795377810);
INSERT INTO `package_file` VALUES (14, 8, 14, 'hello-2.12-r0.apk', 'hello-2.12-r0.apk', 'v3.20|main|x86_64', 1, 1795377810);
INSERT INTO `package_file` VALUES (15, 9, 15, 'APKINDEX.tar.gz', 'apkindex.tar.gz', 'v3.20|main|x86_64', 0, 1795377811);
INSERT INTO `package_file` VALUES (16, 10, 16, 'tool.txt', 'tool.txt', '', 1, 1795377811);
INSERT INTO `package_file` VALUES (19, 12, 17, 'sha256_986fb4d3aed22dad053da30e0c9bafa5ba9c23ae56a9606ba0163c84db6e4f95', 'sha256_986fb4d3aed22dad053da30e0c9bafa5ba9c23ae56a9606ba0163c84db6e4f95', 'sha256:986fb4d3aed22dad053da30e0c9bafa5ba9c23ae56a9606ba0163c84db6e4f95', 0, 1795377811);
INSERT INTO `package_file` VALUES (20, 12, 18, 'sha256_e28d98ac666afd34f089b971a663264d54d67a60ddc82996d48d8f3c204eb75f', 'sha256_e28d98ac666afd34f089b971a663264d54d67a60ddc82996d48d8f3c204eb75f', 'sha256:e28d98ac666afd34f089b971a663264d54d67a60ddc82996d48d8f3c204eb75f', 0, 1795377811);
INSERT INTO `package_file` VALUES (21, 12, 19, 'manifest.json', 'manifest.json', 'sha256:92ae9878884f4b3ca4f0f122c9b387ebcb31082ca27452d997c4632c6e8be3ab', 1, 1795377811);
CREATE TABLE `package_property` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `ref_type` INTEGER NOT NULL, `ref_id` INTEGER NOT NULL, `name` TEXT NOT NULL, `value` TEXT NOT NULL);
INSERT INTO `package_property` VALUES (1, 0, 1, 'npm.tag', 'latest');
INSERT INTO `package_property` VALUES (2, 0, 2, 'npm.tag', 'next');
INSERT INTO `package_property` VALUES (3, 0, 5, 'cargo.yanked', 'true');
INSERT INTO `package_property` VALUES (4, 1, 7, 'debian.distribution', 'bookworm');
INSERT INTO `package_property` VALUES (5, 1, 7, 'debian.component', 'main');
INSERT INTO `package_property` VALUES (6, 1, 7, 'debian.architecture', 'amd64');
INSERT INTO `package_property` VALUES (7, 1, 7, 'debian.control', 'Package: tool
Version: 1.0-1
Architecture: amd64
Maintainer: Ann <ann@example.com>
Description: Does things');
INSERT INTO `package_property` VALUES (8, 1, 8, 'debian.repository.include_in_release', '');
INSERT INTO `package_property` VALUES (9, 1, 8, 'debian.distribution', 'bookworm');
INSERT INTO `package_property` VALUES (10, 1, 8, 'debian.component', 'main');
INSERT INTO `package_property` VALUES (11, 1, 8, 'debian.architecture', 'amd64');
INSERT INTO `package_property` VALUES (12, 1, 9, 'debian.distribution', 'bookworm');
INSERT INTO `package_property` VALUES (13, 1, 9, 'debian.component', 'main');
INSERT INTO `package_property` VALUES (14, 1, 9, 'debian.architecture', 'amd64');
INSERT INTO `package_property` VALUES (15, 1, 9, 'debian.repository.include_in_release', '');
INSERT INTO `package_property` VALUES (16, 1, 10, 'debian.repository.include_in_release', '');
INSERT INTO `package_property` VALUES (17, 1, 10, 'debian.distribution', 'bookworm');
INSERT INTO `package_property` VALUES (18, 1, 10, 'debian.component', 'main');
INSERT INTO `package_property` VALUES (19, 1, 10, 'debian.architecture', 'amd64');
INSERT INTO `package_property` VALUES (20, 1, 11, 'debian.distribution', 'bookworm');
INSERT INTO `package_property` VALUES (21, 1, 12, 'debian.distribution', 'bookworm');
INSERT INTO `package_property` VALUES (22, 1, 13, 'debian.distribution', 'bookworm');
INSERT INTO `package_property` VALUES (23, 1, 14, 'alpine.branch', 'v3.20');
INSERT INTO `package_property` VALUES (24, 1, 14, 'alpine.repository', 'main');
INSERT INTO `package_property` VALUES (25, 1, 14, 'alpine.architecture', 'x86_64');
INSERT INTO `package_property` VALUES (26, 1, 14, 'alpine.metadata', '{"checksum":"Q1wvUlib3tktM00Uj59Wsxuhq3VTA=","size":8192,"architecture":"x86_64","dependencies":["libc"]}');
INSERT INTO `package_property` VALUES (27, 1, 15, 'alpine.branch', 'v3.20');
INSERT INTO `package_property` VALUES (28, 1, 15, 'alpine.repository', 'main');
INSERT INTO `package_property` VALUES (29, 1, 15, 'alpine.architecture', 'x86_64');
INSERT INTO `package_property` VALUES (30, 2, 10, 'container.repository', 'alice/shop/app');
INSERT INTO `package_property` VALUES (33, 0, 12, 'container.manifest.tagged', '');
INSERT INTO `package_property` VALUES (34, 1, 19, 'container.mediatype', 'application/vnd.oci.image.config.v1+json');
INSERT INTO `package_property` VALUES (35, 1, 19, 'container.digest', 'sha256:986fb4d3aed22dad053da30e0c9bafa5ba9c23ae56a9606ba0163c84db6e4f95');
INSERT INTO `package_property` VALUES (36, 1, 20, 'container.mediatype', 'application/vnd.oci.image.layer.v1.tar+gzip');
INSERT INTO `package_property` VALUES (37, 1, 20, 'container.digest', 'sha256:e28d98ac666afd34f089b971a663264d54d67a60ddc82996d48d8f3c204eb75f');
INSERT INTO `package_property` VALUES (38, 1, 21, 'container.mediatype', 'application/vnd.oci.image.manifest.v1+json');
INSERT INTO `package_property` VALUES (39, 1, 21, 'container.digest', 'sha256:92ae9878884f4b3ca4f0f122c9b387ebcb31082ca27452d997c4632c6e8be3ab');
CREATE TABLE `package_version` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `package_id` INTEGER NOT NULL, `creator_id` INTEGER DEFAULT 0 NOT NULL, `version` TEXT NOT NULL, `lower_version` TEXT NOT NULL, `created_unix` INTEGER NOT NULL, `is_internal` INTEGER DEFAULT 0 NOT NULL, `metadata_json` TEXT NULL, `download_count` INTEGER DEFAULT 0 NOT NULL);
INSERT INTO `package_version` VALUES (1, 1, 2, '1.0.0', '1.0.0', 1795377804, 0, '{"name":"left","description":"On the left","project_url":"https://left.example","development_dependencies":{"test":"*"},"repository":{"type":"","url":""}}', 0);
INSERT INTO `package_version` VALUES (2, 1, 2, '1.1.0-rc.1', '1.1.0-rc.1', 1795377804, 0, '{"name":"left","description":"On the left","project_url":"https://left.example","development_dependencies":{"test":"*"},"repository":{"type":"","url":""}}', 0);
INSERT INTO `package_version` VALUES (3, 2, 2, '1.0', '1.0', 1795377805, 0, '{"summary":"Short","requires_python":"\u003e=3.8"}', 0);
INSERT INTO `package_version` VALUES (4, 3, 2, '1.0', '1.0', 1795377805, 0, '{"group_id":"org.example","artifact_id":"core","name":"Core"}', 0);
INSERT INTO `package_version` VALUES (5, 4, 2, '1.0.0', '1.0.0', 1795377805, 0, '{"dependencies":[{"name":"dep","req":"^0.3","features":["std"],"optional":true,"default_features":false,"target":null,"kind":"normal","registry":null,"package":null}],"description":"A crate","project_url":"https://crate.example"}', 0);
INSERT INTO `package_version` VALUES (6, 5, 2, '1.0-1', '1.0-1', 1795377805, 0, '{"maintainer":"Ann","description":"Does things","dependencies":[""]}', 0);
INSERT INTO `package_version` VALUES (7, 6, 2, '_repository', '_repository', 1795377805, 1, 'null', 0);
INSERT INTO `package_version` VALUES (8, 7, 2, '2.12-r0', '2.12-r0', 1795377810, 0, '{"description":"Says hello","project_url":"https://hello.example"}', 0);
INSERT INTO `package_version` VALUES (9, 8, 2, '_repository', '_repository', 1795377810, 1, 'null', 0);
INSERT INTO `package_version` VALUES (10, 9, 2, '1.0', '1.0', 1795377811, 0, 'null', 1);
INSERT INTO `package_version` VALUES (11, 10, 2, '_upload', '_upload', 1795377811, 1, 'null', 0);
INSERT INTO `package_version` VALUES (12, 10, 2, 'v1', 'v1', 1795377811, 0, '{"type":"oci","is_tagged":true,"platform":"linux/arm64","license":"MIT","labels":{"org.opencontainers.image.licenses":"MIT"}}', 0);
CREATE TABLE `project` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `title` TEXT NOT NULL, `description` TEXT NULL, `owner_id` INTEGER NULL, `repo_id` INTEGER NULL, `creator_id` INTEGER NOT NULL, `is_closed` INTEGER NULL, `board_type` INTEGER NULL, `card_type` INTEGER NULL, `type` INTEGER NULL, `created_unix` INTEGER NULL, `updated_unix` INTEGER NULL, `closed_date_unix` INTEGER NULL);
INSERT INTO `project` VALUES (1, 'Plan', 'All of it', 0, 2, 2, 0, 1, 1, 2, 1795365289, 1795365289, 0);
INSERT INTO `project` VALUES (2, 'Of Alice', '', 2, 0, 2, 1, 0, 0, 1, 1795365289, 1795365289, 1795365289);
CREATE TABLE `project_board` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `title` TEXT NULL, `default` INTEGER DEFAULT 0 NOT NULL, `sorting` INTEGER DEFAULT 0 NOT NULL, `color` TEXT NULL, `project_id` INTEGER NOT NULL, `creator_id` INTEGER NOT NULL, `created_unix` INTEGER NULL, `updated_unix` INTEGER NULL);
INSERT INTO `project_board` VALUES (1, 'Backlog', 1, 0, '#aabbcc', 1, 2, 1795365289, 1795365289);
INSERT INTO `project_board` VALUES (2, 'Done', 0, 1, NULL, 1, 2, 1795365289, 1795365289);
CREATE TABLE `project_issue` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `issue_id` INTEGER NULL, `project_id` INTEGER NULL, `project_board_id` INTEGER NULL, `sorting` INTEGER DEFAULT 0 NOT NULL);
INSERT INTO `project_issue` VALUES (1, 1, 1, 2, 0);
INSERT INTO `project_issue` VALUES (2, 2, 1, 0, 1);
CREATE TABLE `protected_branch` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `repo_id` INTEGER NULL, `branch_name` TEXT NULL, `priority` INTEGER DEFAULT 0 NOT NULL, `can_push` INTEGER DEFAULT 0 NOT NULL, `enable_whitelist` INTEGER NULL, `whitelist_user_i_ds` TEXT NULL, `whitelist_team_i_ds` TEXT NULL, `enable_merge_whitelist` INTEGER DEFAULT 0 NOT NULL, `whitelist_deploy_keys` INTEGER DEFAULT 0 NOT NULL, `merge_whitelist_user_i_ds` TEXT NULL, `merge_whitelist_team_i_ds` TEXT NULL, `can_force_push` INTEGER DEFAULT 0 NOT NULL, `enable_force_push_allowlist` INTEGER DEFAULT 0 NOT NULL, `force_push_allowlist_user_i_ds` TEXT NULL, `force_push_allowlist_team_i_ds` TEXT NULL, `force_push_allowlist_deploy_keys` INTEGER DEFAULT 0 NOT NULL, `enable_status_check` INTEGER DEFAULT 0 NOT NULL, `status_check_contexts` TEXT NULL, `enable_approvals_whitelist` INTEGER DEFAULT 0 NOT NULL, `approvals_whitelist_user_i_ds` TEXT NULL, `approvals_whitelist_team_i_ds` TEXT NULL, `required_approvals` INTEGER DEFAULT 0 NOT NULL, `block_on_rejected_reviews` INTEGER DEFAULT 0 NOT NULL, `block_on_official_review_requests` INTEGER DEFAULT 0 NOT NULL, `block_on_outdated_branch` INTEGER DEFAULT 0 NOT NULL, `dismiss_stale_approvals` INTEGER DEFAULT 0 NOT NULL, `ignore_stale_approvals` INTEGER DEFAULT 0 NOT NULL, `require_signed_commits` INTEGER DEFAULT 0 NOT NULL, `protected_file_patterns` TEXT NULL, `unprotected_file_patterns` TEXT NULL, `block_admin_merge_override` INTEGER DEFAULT 0 NOT NULL, `created_unix` INTEGER NULL, `updated_unix` INTEGER NULL);
INSERT INTO `protected_branch` VALUES (1, 2, 'release/*', 1, 1, 1, '[3]', 'null', 0, 0, 'null', 'null', 0, 0, 'null', 'null', 0, 0, 'null', 0, 'null', 'null', 1, 0, 0, 0, 0, 0, 0, '', '', 0, 1795365280, 1795365280);
CREATE TABLE `protected_tag` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `repo_id` INTEGER NULL, `name_pattern` TEXT NULL, `allowlist_user_i_ds` TEXT NULL, `allowlist_team_i_ds` TEXT NULL, `created_unix` INTEGER NULL, `updated_unix` INTEGER NULL);
INSERT INTO `protected_tag` VALUES (1, 2, 'v*', '[2]', 'null', 1795365280, 1795365280);
CREATE TABLE `public_key` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `owner_id` INTEGER NOT NULL, `name` TEXT NOT NULL, `fingerprint` TEXT NOT NULL, `content` TEXT NOT NULL, `mode` INTEGER DEFAULT 2 NOT NULL, `type` INTEGER DEFAULT 1 NOT NULL, `login_source_id` INTEGER DEFAULT 0 NOT NULL, `created_unix` INTEGER NULL, `updated_unix` INTEGER NULL, `verified` INTEGER DEFAULT 0 NOT NULL);
INSERT INTO `public_key` VALUES (1, 2, 'laptop', 'SHA256:mS2MB8ATT0E4I17kWlBCW1ZLLSGEIH1r9YS7X4qG4Ds', 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHgDtykdQKQrD13pvIcbVqoYZpa9x6lsZax2AHaoF4or', 2, 1, 0, 1795365275, 1795365275, 0);
INSERT INTO `public_key` VALUES (2, 0, 'deploy', 'SHA256:hugJdA+/0gxiocAQeDG5RyamNU/QDDGLu5rAf7qQem8', 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIN7SZ+au8M8PkCzh8hvAcH/hWzqiTTti0GORjGSSkDU0', 1, 2, 0, 1795365280, 1795365280, 0);
CREATE TABLE `pull_auto_merge` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `pull_id` INTEGER NULL, `doer_id` INTEGER NOT NULL, `merge_style` TEXT NULL, `message` TEXT NULL, `delete_branch_after_merge` INTEGER NULL, `created_unix` INTEGER NULL);
CREATE TABLE `pull_request` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `type` INTEGER NULL, `status` INTEGER NULL, `conflicted_files` TEXT NULL, `commits_ahead` INTEGER NULL, `commits_behind` INTEGER NULL, `changed_protected_files` TEXT NULL, `issue_id` INTEGER NULL, `index` INTEGER NULL, `head_repo_id` INTEGER NULL, `base_repo_id` INTEGER NULL, `head_branch` TEXT NULL, `base_branch` TEXT NULL, `merge_base` TEXT NULL, `allow_maintainer_edit` INTEGER DEFAULT 0 NOT NULL, `has_merged` INTEGER NULL, `merged_commit_id` TEXT NULL, `merger_id` INTEGER NULL, `merged_unix` INTEGER NULL, `flow` INTEGER DEFAULT 0 NOT NULL);
INSERT INTO `pull_request` VALUES (1, 0, 2, 'null', 2, 2, 'null', 3, 3, 2, 2, 'topic', 'main', 'e4d78313c07bf1b709d4b96f61ecf89fd6feb3d4', 1, 0, '', 0, 1795365290, 0);
INSERT INTO `pull_request` VALUES (2, 0, 2, '[]', 1, 0, 'null', 4, 4, 2, 2, 'merged', 'main', 'e4d78313c07bf1b709d4b96f61ecf89fd6feb3d4', 1, 1, '7b062031338c46998703267d5210265484a2ccc7', 2, 1795365287, 0);
INSERT INTO `pull_request` VALUES (3, 0, 2, 'null', 1, 2, 'null', 5, 5, 5, 2, 'fork', 'main', 'e4d78313c07bf1b709d4b96f61ecf89fd6feb3d4', 1, 0, '', 0, 1795365290, 0);
CREATE TABLE `push_mirror` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `repo_id` INTEGER NULL, `remote_name` TEXT NULL, `remote_address` TEXT NULL, `sync_on_commit` INTEGER DEFAULT 1 NOT NULL, `interval` INTEGER NULL, `created_unix` INTEGER NULL, `last_update` INTEGER NULL, `last_error` TEXT NULL);
INSERT INTO `push_mirror` VALUES (1, 2, 'remote_mirror_VPp8QXuqkg', 'http://127.0.0.1:3780/bob/demo-fork.git', 0, 28800000000000, 1795365289, 0, '');
CREATE TABLE `reaction` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `type` TEXT NOT NULL, `issue_id` INTEGER NOT NULL, `comment_id` INTEGER NULL, `user_id` INTEGER NOT NULL, `original_author_id` INTEGER DEFAULT 0 NOT NULL, `original_author` TEXT NULL, `created_unix` INTEGER NULL);
INSERT INTO `reaction` VALUES (1, '+1', 1, 0, 2, 0, '', 1795365281);
INSERT INTO `reaction` VALUES (2, 'heart', 1, 5, 2, 0, '', 1795365281);
CREATE TABLE `release` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `repo_id` INTEGER NULL, `publisher_id` INTEGER NULL, `tag_name` TEXT NULL, `original_author` TEXT NULL, `original_author_id` INTEGER NULL, `lower_tag_name` TEXT NULL, `target` TEXT NULL, `title` TEXT NULL, `sha1` TEXT NULL, `num_commits` INTEGER NULL, `note` TEXT NULL, `is_draft` INTEGER DEFAULT 0 NOT NULL, `is_prerelease` INTEGER DEFAULT 0 NOT NULL, `is_tag` INTEGER DEFAULT 0 NOT NULL, `created_unix` INTEGER NULL);
INSERT INTO `release` VALUES (1, 5, 0, 'v1.0', '', 0, 'v1.0', '', '', 'e4d78313c07bf1b709d4b96f61ecf89fd6feb3d4', -1, '', 0, 0, 1, 1704067200);
INSERT INTO `release` VALUES (2, 2, 2, 'v1.0', '', 0, 'v1.0', '', 'One', 'e4d78313c07bf1b709d4b96f61ecf89fd6feb3d4', 2, 'The first', 0, 0, 0, 1704067200);
INSERT INTO `release` VALUES (3, 2, 2, 'v2.0', '', 0, 'v2.0', 'main', 'Two', '', 0, '', 1, 0, 0, 1795365289);
INSERT INTO `release` VALUES (4, 6, 0, 'v1.0', '', 0, 'v1.0', '', '', 'e4d78313c07bf1b709d4b96f61ecf89fd6feb3d4', -1, '', 0, 0, 1, 1704067200);
CREATE TABLE `renamed_branch` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `repo_id` INTEGER NOT NULL, `from` TEXT NULL, `to` TEXT NULL, `created_unix` INTEGER NULL);
CREATE TABLE `repo_archiver` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `repo_id` INTEGER NULL, `type` INTEGER NULL, `status` INTEGER NULL, `commit_id` TEXT NULL, `created_unix` INTEGER NOT NULL);
CREATE TABLE `repo_indexer_status` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `repo_id` INTEGER NULL, `commit_sha` TEXT NULL, `indexer_type` INTEGER DEFAULT 0 NOT NULL);
CREATE TABLE `repo_license` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `repo_id` INTEGER NOT NULL, `commit_id` TEXT NULL, `license` TEXT NOT NULL, `created_unix` INTEGER NULL, `updated_unix` INTEGER NULL);
INSERT INTO `repo_license` VALUES (1, 2, 'eec31b3af3341e6e4448db1f5e3c1e6fcc3389f4', 'MIT', 1795365277, 1795365290);
INSERT INTO `repo_license` VALUES (2, 5, '0687f1a978c72aab33622d914316ec6a9bb2d500
', 'MIT', 1795365280, 1795365280);
INSERT INTO `repo_license` VALUES (3, 6, 'e4d78313c07bf1b709d4b96f61ecf89fd6feb3d4', 'MIT', 1795365290, 1795365290);
CREATE TABLE `repo_redirect` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `owner_id` INTEGER NULL, `lower_name` TEXT NOT NULL, `redirect_repo_id` INTEGER NULL);
INSERT INTO `repo_redirect` VALUES (1, 2, 'old-name', 4);
CREATE TABLE `repo_topic` (`repo_id` INTEGER NOT NULL, `topic_id` INTEGER NOT NULL, PRIMARY KEY (`repo_id`,`topic_id`));
INSERT INTO `repo_topic` VALUES (2, 1);
INSERT INTO `repo_topic` VALUES (2, 2);
CREATE TABLE `repo_transfer` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `doer_id` INTEGER NULL, `recipient_id` INTEGER NULL, `repo_id` INTEGER NULL, `team_i_ds` TEXT NULL, `created_unix` INTEGER NOT NULL, `updated_unix` INTEGER NOT NULL);
INSERT INTO `repo_transfer` VALUES (1, 2, 3, 4, '[]', 1795365280, 1795365280);
CREATE TABLE `repo_unit` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `repo_id` INTEGER NULL, `type` INTEGER NULL, `config` TEXT NULL, `created_unix` INTEGER NULL, `anonymous_access_mode` INTEGER DEFAULT 0 NOT NULL, `everyone_access_mode` INTEGER DEFAULT 0 NOT NULL);
INSERT INTO `repo_unit` VALUES (1, 1, 1, NULL, 1795365276, 0, 0);
INSERT INTO `repo_unit` VALUES (2, 1, 2, '{"EnableTimetracker":true,"AllowOnlyContributorsToTrackTime":true,"EnableDependencies":true}', 1795365276, 0, 0);
INSERT INTO `repo_unit` VALUES (3, 1, 3, '{"IgnoreWhitespaceConflicts":false,"AllowMerge":true,"AllowRebase":true,"AllowRebaseMerge":true,"AllowSquash":true,"AllowFastForwardOnly":true,"AllowManualMerge":false,"AutodetectManualMerge":false,"AllowRebaseUpdate":true,"DefaultDeleteBranchAfterMerge":false,"DefaultMergeStyle":"merge","DefaultAllowMaintainerEdit":true,"DefaultTargetBranch":""}', 1795365276, 0, 0);
INSERT INTO `repo_unit` VALUES (4, 1, 4, NULL, 1795365276, 0, 0);
INSERT INTO `repo_unit` VALUES (5, 1, 5, NULL, 1795365276, 0, 0);
INSERT INTO `repo_unit` VALUES (6, 1, 8, '{"ProjectsMode":"all"}', 1795365276, 0, 0);
INSERT INTO `repo_unit` VALUES (7, 1, 9, NULL, 1795365276, 0, 0);
INSERT INTO `repo_unit` VALUES (8, 1, 10, NULL, 1795365276, 0, 0);
INSERT INTO `repo_unit` VALUES (9, 2, 1, NULL, 1795365277, 0, 0);
INSERT INTO `repo_unit` VALUES (10, 2, 2, '{"EnableTimetracker":true,"AllowOnlyContributorsToTrackTime":true,"EnableDependencies":true}', 1795365277, 0, 0);
INSERT INTO `repo_unit` VALUES (12, 2, 4, NULL, 1795365277, 0, 0);
INSERT INTO `repo_unit` VALUES (13, 2, 5, NULL, 1795365277, 0, 0);
INSERT INTO `repo_unit` VALUES (14, 2, 8, '{"ProjectsMode":"all"}', 1795365277, 0, 0);
INSERT INTO `repo_unit` VALUES (15, 2, 9, NULL, 1795365277, 0, 0);
INSERT INTO `repo_unit` VALUES (16, 2, 10, NULL, 1795365277, 0, 0);
INSERT INTO `repo_unit` VALUES (17, 3, 1, NULL, 1795365277, 0, 0);
INSERT INTO `repo_unit` VALUES (18, 3, 2, '{"EnableTimetracker":true,"AllowOnlyContributorsToTrackTime":true,"EnableDependencies":true}', 1795365277, 0, 0);
INSERT INTO `repo_unit` VALUES (19, 3, 3, '{"IgnoreWhitespaceConflicts":false,"AllowMerge":true,"AllowRebase":true,"AllowRebaseMerge":true,"AllowSquash":true,"AllowFastForwardOnly":true,"AllowManualMerge":false,"AutodetectManualMerge":false,"AllowRebaseUpdate":true,"DefaultDeleteBranchAfterMerge":false,"DefaultMergeStyle":"merge","DefaultAllowMaintainerEdit":true,"DefaultTargetBranch":""}', 1795365277, 0, 0);
INSERT INTO `repo_unit` VALUES (20, 3, 4, NULL, 1795365277, 0, 0);
INSERT INTO `repo_unit` VALUES (21, 3, 5, NULL, 1795365277, 0, 0);
INSERT INTO `repo_unit` VALUES (22, 3, 8, '{"ProjectsMode":"all"}', 1795365277, 0, 0);
INSERT INTO `repo_unit` VALUES (23, 3, 9, NULL, 1795365277, 0, 0);
INSERT INTO `repo_unit` VALUES (24, 4, 1, NULL, 1795365278, 0, 0);
INSERT INTO `repo_unit` VALUES (25, 4, 2, '{"EnableTimetracker":true,"AllowOnlyContributorsToTrackTime":true,"EnableDependencies":true}', 1795365278, 0, 0);
INSERT INTO `repo_unit` VALUES (26, 4, 3, '{"IgnoreWhitespaceConflicts":false,"AllowMerge":true,"AllowRebase":true,"AllowRebaseMerge":true,"AllowSquash":true,"AllowFastForwardOnly":true,"AllowManualMerge":false,"AutodetectManualMerge":false,"AllowRebaseUpdate":true,"DefaultDeleteBranchAfterMerge":false,"DefaultMergeStyle":"merge","DefaultAllowMaintainerEdit":true,"DefaultTargetBranch":""}', 1795365278, 0, 0);
INSERT INTO `repo_unit` VALUES (27, 4, 4, NULL, 1795365278, 0, 0);
INSERT INTO `repo_unit` VALUES (29, 4, 8, '{"ProjectsMode":"all"}', 1795365278, 0, 0);
INSERT INTO `repo_unit` VALUES (30, 4, 9, NULL, 1795365278, 0, 0);
INSERT INTO `repo_unit` VALUES (31, 4, 10, NULL, 1795365278, 0, 0);
INSERT INTO `repo_unit` VALUES (32, 2, 3, '{"IgnoreWhitespaceConflicts":false,"AllowMerge":true,"AllowRebase":false,"AllowRebaseMerge":true,"AllowSquash":true,"AllowFastForwardOnly":true,"AllowManualMerge":false,"AutodetectManualMerge":false,"AllowRebaseUpdate":true,"DefaultDeleteBranchAfterMerge":false,"DefaultMergeStyle":"squash","DefaultAllowMaintainerEdit":true,"DefaultTargetBranch":""}', 1795365279, 0, 0);
INSERT INTO `repo_unit` VALUES (33, 5, 1, NULL, 1795365280, 0, 0);
INSERT INTO `repo_unit` VALUES (34, 5, 3, '{"IgnoreWhitespaceConflicts":false,"AllowMerge":true,"AllowRebase":true,"AllowRebaseMerge":true,"AllowSquash":true,"AllowFastForwardOnly":true,"AllowManualMerge":false,"AutodetectManualMerge":false,"AllowRebaseUpdate":true,"DefaultDeleteBranchAfterMerge":false,"DefaultMergeStyle":"merge","DefaultAllowMaintainerEdit":true,"DefaultTargetBranch":""}', 1795365280, 0, 0);
INSERT INTO `repo_unit` VALUES (35, 6, 1, NULL, 1795365289, 0, 0);
INSERT INTO `repo_unit` VALUES (36, 6, 2, '{"EnableTimetracker":true,"AllowOnlyContributorsToTrackTime":true,"EnableDependencies":true}', 1795365289, 0, 0);
INSERT INTO `repo_unit` VALUES (37, 6, 4, NULL, 1795365289, 0, 0);
INSERT INTO `repo_unit` VALUES (38, 6, 5, NULL, 1795365289, 0, 0);
INSERT INTO `repo_unit` VALUES (39, 6, 8, '{"ProjectsMode":"all"}', 1795365289, 0, 0);
INSERT INTO `repo_unit` VALUES (40, 6, 9, NULL, 1795365289, 0, 0);
INSERT INTO `repo_unit` VALUES (41, 7, 1, NULL, 1795377812, 0, 0);
INSERT INTO `repo_unit` VALUES (42, 7, 2, '{"EnableTimetracker":true,"AllowOnlyContributorsToTrackTime":true,"EnableDependencies":true}', 1795377812, 0, 0);
INSERT INTO `repo_unit` VALUES (43, 7, 3, '{"IgnoreWhitespaceConflicts":false,"AllowMerge":true,"AllowRebase":true,"AllowRebaseMerge":true,"AllowSquash":true,"AllowFastForwardOnly":true,"AllowManualMerge":false,"AutodetectManualMerge":false,"AllowRebaseUpdate":true,"DefaultDeleteBranchAfterMerge":false,"DefaultMergeStyle":"merge","DefaultAllowMaintainerEdit":true,"DefaultTargetBranch":""}', 1795377812, 0, 0);
INSERT INTO `repo_unit` VALUES (44, 7, 4, NULL, 1795377812, 0, 0);
INSERT INTO `repo_unit` VALUES (45, 7, 5, NULL, 1795377812, 0, 0);
INSERT INTO `repo_unit` VALUES (46, 7, 8, '{"ProjectsMode":"all"}', 1795377812, 0, 0);
INSERT INTO `repo_unit` VALUES (47, 7, 9, NULL, 1795377812, 0, 0);
INSERT INTO `repo_unit` VALUES (48, 7, 10, '{"DisabledWorkflows":["nightly.yml"],"CollaborativeOwnerIDs":null,"token_permission_mode":"permissive"}', 1795377812, 0, 0);
CREATE TABLE `repository` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `owner_id` INTEGER NULL, `owner_name` TEXT NULL, `lower_name` TEXT NOT NULL, `name` TEXT NOT NULL, `description` TEXT NULL, `website` TEXT NULL, `original_service_type` INTEGER NULL, `original_url` TEXT NULL, `default_branch` TEXT NULL, `default_wiki_branch` TEXT NULL, `num_watches` INTEGER NULL, `num_stars` INTEGER NULL, `num_forks` INTEGER NULL, `num_issues` INTEGER NULL, `num_closed_issues` INTEGER NULL, `num_pulls` INTEGER NULL, `num_closed_pulls` INTEGER NULL, `num_milestones` INTEGER DEFAULT 0 NOT NULL, `num_closed_milestones` INTEGER DEFAULT 0 NOT NULL, `num_projects` INTEGER DEFAULT 0 NOT NULL, `num_closed_projects` INTEGER DEFAULT 0 NOT NULL, `num_action_runs` INTEGER DEFAULT 0 NOT NULL, `num_closed_action_runs` INTEGER DEFAULT 0 NOT NULL, `is_private` INTEGER NULL, `is_empty` INTEGER NULL, `is_archived` INTEGER NULL, `is_mirror` INTEGER NULL, `status` INTEGER DEFAULT 0 NOT NULL, `is_fork` INTEGER DEFAULT 0 NOT NULL, `fork_id` INTEGER NULL, `is_template` INTEGER DEFAULT 0 NOT NULL, `template_id` INTEGER NULL, `size` INTEGER DEFAULT 0 NOT NULL, `git_size` INTEGER DEFAULT 0 NOT NULL, `lfs_size` INTEGER DEFAULT 0 NOT NULL, `is_fsck_enabled` INTEGER DEFAULT 1 NOT NULL, `close_issues_via_commit_in_any_branch` INTEGER DEFAULT 0 NOT NULL, `topics` TEXT NULL, `object_format_name` TEXT DEFAULT 'sha1' NOT NULL, `trust_model` INTEGER NULL, `avatar` TEXT NULL, `created_unix` INTEGER NULL, `updated_unix` INTEGER NULL, `archived_unix` INTEGER DEFAULT 0 NULL);
INSERT INTO `repository` VALUES (1, 6, 'Acme', 'tools', 'tools', '', '', 0, '', 'main', 'main', 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 26151, 26151, 0, 1, 0, 'null', 'sha1', 0, '', 1795365276, 1795365277, 0);
INSERT INTO `repository` VALUES (2, 2, 'Alice', 'demo', 'Demo', 'A demonstration', 'https://demo.example', 0, '', 'main', 'main', 2, 1, 1, 3, 0, 3, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 31221, 31208, 13, 1, 0, '["alpha","beta"]', 'sha1', 0, '19502ff3e27024d715488c29945f3b36362b51cc8e5e36a8ae3c1fca219b6441', 1795365277, 1795365289, 0);
INSERT INTO `repository` VALUES (3, 2, 'Alice', 'template', 'template', '', '', 0, '', 'main', 'main', 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 26155, 26155, 0, 1, 0, 'null', 'sha1', 0, '', 1795365277, 1795365278, 0);
INSERT INTO `repository` VALUES (4, 2, 'Alice', 'new-name', 'new-name', '', '', 0, '', 'main', 'main', 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 26154, 26154, 0, 1, 0, 'null', 'sha1', 0, '', 1795365278, 1795365279, 0);
INSERT INTO `repository` VALUES (5, 3, 'bob', 'demo-fork', 'demo-fork', 'A demonstration', '', 0, '', 'main', '', 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 29902, 29902, 0, 0, 0, 'null', 'sha1', 0, '', 1795365280, 1795365288, 0);
INSERT INTO `repository` VALUES (6, 2, 'Alice', 'mirrored', 'mirrored', '', '', 1, 'http://127.0.0.1:3780/bob/demo-fork.git', 'main', 'main', 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 28906, 28906, 0, 0, 0, 'null', 'sha1', 0, '', 1795365289, 1795365289, 0);
INSERT INTO `repository` VALUES (7, 2, 'Alice', 'automated', 'automated', '', '', 0, '', 'main', 'main', 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 27140, 27140, 0, 1, 0, 'null', 'sha1', 0, '', 1795377812, 1795377816, 0);
CREATE TABLE `review` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `type` INTEGER NULL, `reviewer_id` INTEGER NULL, `reviewer_team_id` INTEGER DEFAULT 0 NOT NULL, `original_author` TEXT NULL, `original_author_id` INTEGER NULL, `issue_id` INTEGER NULL, `content` TEXT NULL, `official` INTEGER DEFAULT 0 NOT NULL, `commit_id` TEXT NULL, `stale` INTEGER DEFAULT 0 NOT NULL, `dismissed` INTEGER DEFAULT 0 NOT NULL, `created_unix` INTEGER NULL, `updated_unix` INTEGER NULL);
INSERT INTO `review` VALUES (1, 3, 2, 0, '', 0, 3, 'Not yet', 0, '5c2c8172c0749d53140589de1f48b82eb9f3f4b2', 1, 1, 1795365283, 1795365284);
INSERT INTO `review` VALUES (2, 1, 2, 0, '', 0, 3, 'Now', 1, 'adecc1e65f46cd598ffbf889ffc0a6de68696fdc', 0, 0, 1795365284, 1795365284);
INSERT INTO `review` VALUES (3, 4, 2, 0, '', 0, 4, '', 1, '', 0, 0, 1795365286, 1795365286);
CREATE TABLE `review_state` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `user_id` INTEGER NOT NULL, `pull_id` INTEGER DEFAULT 0 NOT NULL, `commit_sha` TEXT NOT NULL, `updated_files` TEXT NOT NULL, `updated_unix` INTEGER NULL);
CREATE TABLE `secret` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `owner_id` INTEGER NOT NULL, `repo_id` INTEGER DEFAULT 0 NOT NULL, `name` TEXT NOT NULL, `data` TEXT NULL, `description` TEXT NULL, `created_unix` INTEGER NOT NULL);
CREATE TABLE `session` (`key` TEXT PRIMARY KEY NOT NULL, `data` BLOB NULL, `expiry` INTEGER NULL);
CREATE TABLE `star` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `uid` INTEGER NULL, `repo_id` INTEGER NULL, `created_unix` INTEGER NULL);
INSERT INTO `star` VALUES (1, 3, 1, 1795365277);
INSERT INTO `star` VALUES (2, 3, 2, 1795365280);
CREATE TABLE `stopwatch` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `issue_id` INTEGER NULL, `user_id` INTEGER NULL, `created_unix` INTEGER NULL);
INSERT INTO `stopwatch` VALUES (1, 2, 2, 1795365282);
CREATE TABLE `system_setting` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `setting_key` TEXT NULL, `setting_value` TEXT NULL, `version` INTEGER NULL, `created` INTEGER NULL, `updated` INTEGER NULL);
INSERT INTO `system_setting` VALUES (1, 'revision', '', 1, 1795365274, 1795365274);
CREATE TABLE `task` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `doer_id` INTEGER NULL, `owner_id` INTEGER NULL, `repo_id` INTEGER NULL, `type` INTEGER NULL, `status` INTEGER NULL, `start_time` INTEGER NULL, `end_time` INTEGER NULL, `payload_content` TEXT NULL, `message` TEXT NULL, `created` INTEGER NULL);
CREATE TABLE `team` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `org_id` INTEGER NULL, `lower_name` TEXT NULL, `name` TEXT NULL, `description` TEXT NULL, `authorize` INTEGER NULL, `num_repos` INTEGER NULL, `num_members` INTEGER NULL, `includes_all_repositories` INTEGER DEFAULT 0 NOT NULL, `can_create_org_repo` INTEGER DEFAULT 0 NOT NULL);
INSERT INTO `team` VALUES (1, 6, 'owners', 'Owners', '', 4, 1, 1, 1, 1);
INSERT INTO `team` VALUES (2, 6, 'builders', 'Builders', 'They build', 0, 1, 1, 0, 0);
CREATE TABLE `team_invite` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `token` TEXT DEFAULT '' NOT NULL, `inviter_id` INTEGER DEFAULT 0 NOT NULL, `org_id` INTEGER DEFAULT 0 NOT NULL, `team_id` INTEGER DEFAULT 0 NOT NULL, `email` TEXT DEFAULT '' NOT NULL, `created_unix` INTEGER NULL, `updated_unix` INTEGER NULL);
INSERT INTO `team_invite` VALUES (3, 'k3JdU8aLq0ZxW5vB7nM2cT9pR', 2, 6, 2, 'Dora@example.com', 1795365274, 1795365274);
CREATE TABLE `team_repo` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `org_id` INTEGER NULL, `team_id` INTEGER NULL, `repo_id` INTEGER NULL);
INSERT INTO `team_repo` VALUES (1, 6, 1, 1);
INSERT INTO `team_repo` VALUES (2, 6, 2, 1);
CREATE TABLE `team_unit` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `org_id` INTEGER NULL, `team_id` INTEGER NULL, `type` INTEGER NULL, `access_mode` INTEGER NULL);
INSERT INTO `team_unit` VALUES (1, 6, 1, 1, 4);
INSERT INTO `team_unit` VALUES (2, 6, 1, 2, 4);
INSERT INTO `team_unit` VALUES (3, 6, 1, 3, 4);
INSERT INTO `team_unit` VALUES (4, 6, 1, 4, 4);
INSERT INTO `team_unit` VALUES (5, 6, 1, 5, 4);
INSERT INTO `team_unit` VALUES (6, 6, 1, 6, 1);
INSERT INTO `team_unit` VALUES (7, 6, 1, 7, 1);
INSERT INTO `team_unit` VALUES (8, 6, 1, 8, 4);
INSERT INTO `team_unit` VALUES (9, 6, 1, 9, 4);
INSERT INTO `team_unit` VALUES (10, 6, 1, 10, 4);
INSERT INTO `team_unit` VALUES (11, 6, 2, 1, 2);
INSERT INTO `team_unit` VALUES (12, 6, 2, 2, 1);
CREATE TABLE `team_user` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `org_id` INTEGER NULL, `team_id` INTEGER NULL, `uid` INTEGER NULL);
INSERT INTO `team_user` VALUES (1, 6, 1, 2);
INSERT INTO `team_user` VALUES (2, 6, 2, 3);
CREATE TABLE `topic` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `name` TEXT NULL, `repo_count` INTEGER NULL, `created_unix` INTEGER NULL, `updated_unix` INTEGER NULL);
INSERT INTO `topic` VALUES (1, 'alpha', 1, 1795365280, 1795365280);
INSERT INTO `topic` VALUES (2, 'beta', 1, 1795365280, 1795365280);
CREATE TABLE `tracked_time` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `issue_id` INTEGER NULL, `user_id` INTEGER NULL, `created_unix` INTEGER NULL, `time` INTEGER NOT NULL, `deleted` INTEGER DEFAULT 0 NOT NULL);
INSERT INTO `tracked_time` VALUES (1, 1, 2, 1795365282, 3600, 0);
CREATE TABLE `two_factor` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `uid` INTEGER NULL, `secret` TEXT NULL, `scratch_salt` TEXT NULL, `scratch_hash` TEXT NULL, `last_used_passcode` TEXT NULL, `created_unix` INTEGER NULL, `updated_unix` INTEGER NULL);
CREATE TABLE `upload` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `uuid` UUID NULL, `name` TEXT NULL);
CREATE TABLE `user` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `lower_name` TEXT NOT NULL, `name` TEXT NOT NULL, `full_name` TEXT NULL, `email` TEXT NOT NULL, `keep_email_private` INTEGER NULL, `email_notifications_preference` TEXT DEFAULT 'enabled' NOT NULL, `passwd` TEXT NOT NULL, `passwd_hash_algo` TEXT DEFAULT 'argon2' NOT NULL, `must_change_password` INTEGER DEFAULT 0 NOT NULL, `login_type` INTEGER NULL, `login_source` INTEGER DEFAULT 0 NOT NULL, `login_name` TEXT NULL, `type` INTEGER NULL, `location` TEXT NULL, `website` TEXT NULL, `rands` TEXT NULL, `salt` TEXT NULL, `language` TEXT NULL, `description` TEXT NULL, `created_unix` INTEGER NULL, `updated_unix` INTEGER NULL, `last_login_unix` INTEGER NULL, `last_repo_visibility` INTEGER NULL, `max_repo_creation` INTEGER DEFAULT -1 NOT NULL, `is_active` INTEGER NULL, `is_admin` INTEGER NULL, `is_restricted` INTEGER DEFAULT 0 NOT NULL, `allow_git_hook` INTEGER NULL, `allow_import_local` INTEGER NULL, `allow_create_organization` INTEGER DEFAULT 1 NULL, `prohibit_login` INTEGER DEFAULT 0 NOT NULL, `avatar` TEXT NOT NULL, `avatar_email` TEXT NOT NULL, `use_custom_avatar` INTEGER NULL, `num_followers` INTEGER NULL, `num_following` INTEGER DEFAULT 0 NOT NULL, `num_stars` INTEGER NULL, `num_repos` INTEGER NULL, `num_teams` INTEGER NULL, `num_members` INTEGER NULL, `visibility` INTEGER DEFAULT 0 NOT NULL, `repo_admin_change_team_access` INTEGER DEFAULT 0 NOT NULL, `diff_view_style` TEXT DEFAULT '' NOT NULL, `theme` TEXT DEFAULT '' NOT NULL, `keep_activity_private` INTEGER DEFAULT 0 NOT NULL);
INSERT INTO `user` VALUES (1, 'root', 'root', '', 'root@example.com', 0, 'enabled', 'd40757a152165766f83074b27db226792e4d8afd277b417b29e395f1e1265bcf3a9e7c98dfbe778a107bc81af239ef6d66ed', 'pbkdf2$50000$50', 0, 0, 0, '', 0, '', '', 'fc4e177c541f1617c2e2b2785487b1d0', '8581feccbc785d7bc1922c6157503d4e', '', '', 1795365273, 1795365273, 0, 0, -1, 1, 1, 0, 0, 0, 1, 0, '', 'root@example.com', 0, 0, 0, 0, 0, 0, 0, 0, 0, '', 'gitea-auto', 0);
INSERT INTO `user` VALUES (2, 'alice', 'Alice', 'Alice Liddell', 'alice@example.com', 1, 'enabled', '7ca6e40f5db5d55779dce476765ff12b57f065a570d62178a797be530acfd404fa94568f0a98e890cca6a44b8ae7b99351f6', 'pbkdf2$50000$50', 0, 1, 0, '', 0, 'Oxford', 'https://alice.example', '4f503bb0d2c0be496c0778c04f8faf2f', 'b3393b4eff3d063600e9d8a9b773011e', 'en-US', '', 1795365275, 1795377812, 0, 0, -1, 1, 0, 0, 0, 0, 1, 0, '19502ff3e27024d715488c29945f3b36362b51cc8e5e36a8ae3c1fca219b6441', 'alice@example.com', 1, 1, 1, 0, 5, 0, 0, 0, 0, '', 'gitea-auto', 0);
INSERT INTO `user` VALUES (3, 'bob', 'bob', '', 'bob@example.com', 0, 'enabled', '2711ef03ae29d9fd94574b97695c1b6369d8a2bf4dc4f78e6a310ab586ca17846e21a8dfd8d67b89fc9af5c90f66027ad12b', 'pbkdf2$50000$50', 0, 1, 0, '', 0, '', '', '3758d701ca48095a44dab9c6bbc3a414', '0fe5891d9676d7c7595fde15d7911fd1', '', '', 1795365275, 1795365280, 0, 0, -1, 1, 0, 0, 0, 0, 1, 0, '4b9bb80620f03eb3719e0a061c14283d', 'bob@example.com', 0, 1, 1, 2, 1, 0, 0, 0, 0, '', 'gitea-auto', 0);
INSERT INTO `user` VALUES (4, 'carol', 'carol', '', 'carol@example.com', 0, 'enabled', 'ff1f233bf6ee85454d0eb7fbab67b74b9ed870e0c2616c5ff15fd43de23720e95ac8842d76566f74f2e7845716b1aa0c08a9', 'pbkdf2$50000$50', 0, 1, 0, '', 0, '', '', 'd23cf9b788bb0a4796b6bc23cffc8e4f', '58d4f28b5276fbae973bf95555873f06', '', '', 1795365275, 1795365275, 0, 0, -1, 1, 0, 0, 0, 0, 1, 0, 'd4766e3f21c67b7c786f012d910fa54f', 'carol@example.com', 0, 0, 0, 0, 0, 0, 0, 2, 0, '', 'gitea-auto', 0);
INSERT INTO `user` VALUES (5, 'newname', 'newname', '', 'renamed@example.com', 0, 'enabled', 'cc72868987fec099668e3492ac499770fd2c350961a8c08383cbfae7025e25b7e35ee90419302ea78b074bff991a44658880', 'pbkdf2$50000$50', 0, 1, 0, '', 0, '', '', '7fd39923e18458408f55dc37d3aff227', '09cc8e09f89a772b12408b41c30d03c1', '', '', 1795365276, 1795365276, 0, 0, -1, 1, 0, 0, 0, 0, 1, 0, '3d34914291c4c7fa7518205ff8409a78', 'renamed@example.com', 0, 0, 0, 0, 0, 0, 0, 0, 0, '', 'gitea-auto', 0);
INSERT INTO `user` VALUES (6, 'acme', 'Acme', 'Acme Inc.', '', 0, '', '', '', 0, 0, 0, '', 1, '', 'https://acme.example', '37855a4a7c96c58693523a1d2800decd', 'c940ecf5fda218af880242b530de9843', '', '', 1795365276, 1795365276, 0, 1, -1, 1, 0, 0, 0, 0, 0, 0, '53bce4f1dfa0fe8e7ca126f91b35d3a6', '', 1, 0, 0, 0, 1, 2, 2, 1, 0, '', '', 0);
CREATE TABLE `user_badge` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `badge_id` INTEGER NULL, `user_id` INTEGER NULL);
CREATE TABLE `user_blocking` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `blocker_id` INTEGER NULL, `blockee_id` INTEGER NULL, `note` TEXT NULL, `created_unix` INTEGER NULL);
INSERT INTO `user_blocking` VALUES (1, 3, 4, '', 1795365276);
CREATE TABLE `user_open_id` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `uid` INTEGER NOT NULL, `uri` TEXT NOT NULL, `show` INTEGER DEFAULT 0 NULL);
CREATE TABLE `user_redirect` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `lower_name` TEXT NOT NULL, `redirect_user_id` INTEGER NULL);
INSERT INTO `user_redirect` VALUES (1, 'renamed', 5);
CREATE TABLE `user_setting` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `user_id` INTEGER NULL, `setting_key` TEXT NULL, `setting_value` TEXT NULL);
INSERT INTO `user_setting` VALUES (1, 2, 'debian.key.private', '-----BEGIN PGP PRIVATE KEY BLOCK-----

xcZYBGsDSo0BEAC70MlJiRdSrXQ3timtNsstHC6dHmjwNKeVXB3WQQIDACBBz8TJ
tKb6v4BAUW8m77LHuhlXJK5UTcYa8mWBgq7sKz4TMqQXCcui30/IL24nSitoyWOu
/aw30mJXwYC+gJ42S2ChprJtV8bxob7a5SldTDzE9BTevkYVjtAZjCJEHPcmDD0o
0ihl/C1KAbmXjrth9s+N/UALIrrs9BtTXJpJm+FF3Xd6uIGMuhNE8XpKxNJuUKNa
7fiQlfAGx2em85XYus3romz6znsWksn2taT6f3AdNTIsgH2dG5YNl8kz3isBR5OL
3w/QzhD0m493w7a24XGIR7u5sJzQe5ah1+Ll8ferYKKxJZN9UA8hS9e/gKT9tzH5
WmS55b6oreVgk6qIee8Gmq6LuxAr1Iq7kdU77eXoMNvw0cEfpodt8cAamdRrYmwz
YEQ7R61Bsnx6Lju0KAJpQJkLG9oBJjnwjaGzhXgJPEcqKLByg9f1sbtzRJo6m5dh
MaQ33TdATBn0bz/3P4QZPuNaseuv/A2n7Cg6d0aLwm5WolvoljI/X6zRYTLK+IAK
OD7zKngwKrqseLOdO1CZl50ghw+de/p+64wfr1Dj0NvXlYX2hBNLpn9AdeL5QOtg
xsVpNz3k4cOJYEAA8XPAGsaeAksAKxCwKZsGToOnsyXzBiaW2u3yA7k/NQARAQAB
AA/+LQmSky8sKBfPBCMLGG3Ix+73oJavvFYsD41w3DVniZeopI9xlZrb5coxM3sz
p8cX/Hv8YqC5qx6hUEnrHGTdlGWEM69TmPCw48QgChWRmRtYkH6miEptV098ZKXS
vRvzlHp72Be0trKzUrMiJLSKOES1V9dd/9Hp1XaTIWUwvFujynxp2BWZOWeA5rvG
KPlBpuq798UQa/suju60dMeCef9GxG2onoWLD1d5knFDjZVoDqsImR/ymJ1T2xRL
H0ZPGxMkmQowju4fpxiZFK+XObiAhoiAmRpQxPFeCLFqvqTadCqZT5O0Y7Jeb4G0
JBiLAozKIE9vTUZ0PCw+wV2XG3otk4a0q0kqbnfk1zzKMQ0y22Zg+YuXxvxrKTxp
IYBl6TZ6nZsTj5OPkmx/vlJ9jQf1fG69E4noBtFnLbJHZrCL+9sZQKi0+V4cJxIb
fFqXa2l4F4VWEI6WAOsCbCl8aMy4jW/ZQwmnE+zlodCMG1URRaiujCI98A+LHLA9
7qJV8jnaTqO4WdRCOJeKeWBDein0alDfiVwaedkXWH4QEMCoKwm6TkjOkO7Jc4gB
wTtJ7HfRZ3huBsAF+1nMnXhvgvV2aS4NWqJsvPX8JJfJbiU+z0wCiz6JdeCI/KUg
Ef/fnFw+1OlR8qoqvMULG99AXnz4L4LI+vXpgp+stkwJrbsIAPOQU3UcDM0ceK8z
DB90a6CgKMRlUuvpvaUiyuu+iyrxXvP1pFXBNtm9tILlwtjalhrV/q/j7LL27FnE
iVMNBN7DNQcuNZVPnRFL9WzIMJeAY7emLJo0g/gmbKsTr/uviwu3veq2B8ZvnbVr
ATlbBHEVWM2om/oDu3F1HOu02+tBOvKCBBw58epV0LtrmobQSM11WAG7MIUMP+88
bmpGeF3nURuO6OJ8mSqR8oCuCQhfChgtFOkCVdSkBovj50TESZGpaCsVvTDHxsiN
pct6mf7dhUzJwydy3O8Q2JqOTc7k6BqaMR07nzNVe117eX2M2CjOR/1iydxLDZaG
3rkjTysIAMVnw34GE3fV0lhVSKFZTc8YbTp3v+x71ts2JrGziXMw2T3YrEDzHrs8
CRXwrChL5nICFX+bxXyiKjgyF7zPM4qo4wiUHE3Q94b28rD2aGQqBtorbuvG7WEF
2+UI5T5g/Pz9umIQqvc8i7s8Ry2RWDSJ3O0qLHCp+EV9u/KiHmqOteslw+HWVdlp
5HgS4koiUdSVmiDkgLLvLQ2pzrALsM96jt7JAjQhsvnfxMmfSDlkGDhCprjTkxdn
eGojlk6IHwMviCaEvviyHAr3CfLM+Sw6ZMQ3yCMT9NZOLZz0AcPPraGanvW+FHax
93QEJb/Z/hIuuVP3svWb5my44ee7ex8IAIpTvGOeSpDU5iZJPrOwftW1t7KoB/Qe
9WncuZH2cHrVFRnEXvaWCohO9fwB+7MVkngUh2duIRDgrr/ah+E/+2K1JfTUapiZ
+0dzc5Iaz7l5CgrA5u4F+4MtskhGuu4X9hVXP31p9pn06DExyhFO8RCKMY9aub70
yJ7sgzwLOQUQCa1QL3USx2I/g0gmh9gU2mMFFEzqi4i2jwY3IF0HStv0u4uQ8ePT
9BKUmvCpjyIh9X4obgY8p9SRS5skKHfvTXwJTivQKP9n5qHgdqyw8oYHO1GP7EaJ
+Gvu7ne0XbWUnC38JmrJ30AOtW3qLERKc6PyZ1iWVBxr5E5Wd2f7B26Ftc1LKEF1
dG9tYXRpY2FsbHkgZ2VuZXJhdGVkIERlYmlhbiBSZWdpc3RyeSBLZXk7IGNyZWF0
ZWQgMjAyNi0xMS0yMlQyMDowMzoyNVopwsG8BBMBCABwBYJrA0qNAwsJBwkQFwYv
23UaKxw1FAAAAAAAHAAQc2FsdEBub3RhdGlvbnMub3BlbnBncGpzLm9yZ5sNU5Ds
OtiPnZQ4fAFCqdYCFQgCFgACGQECmwMCHgEWIQQfZ2hqplogInJTjcAXBi/bdRor
HAAADr4QALjQ4Sx8UArJ9/OwD51IpyRfQUbNCXn7xCg3UAbksOQa5j3iSbFdv//7
KX4IQ0MnllUBRh2b/HLPlLibpyU+K8x74oGfQfC02apFpFZIWEaFes8RsJJb5J0L
5Iv0JwhW2XcCbAEhTsBhlnMbADh7yQq9XX69B7a7phb4OlWCbuTYAx8lidn/HOiV
3xbANH2z8uaQYxXXDHgfgFvJgIqU0duy0Z9nwv84GoMq0JipWd8plb0eIk0DIufK
XI8KuLU26r8N/3F73B58NfcuvNi/IpBpyBsba9w0A4D39R+Ahn7JR8ulxvpwj52b
52R1OpLL0YL7JaDht2cUYAFnORAaj3I2tYrWZqj0CLl6/BdfCVB6XNEElrwyLOWZ
RkuJ/gjLc4ZAK1x7ASrgqfhkDKPv6PK6YFE7shJX0e87oJw6MLuYiZhu6uaZJmH4
Ha9lnjNrMeMzyrMgBwl6WlqGKvlfDGuLwwGEtZZQHIPzicjAzCfwcmDMF0CCg3qv
x5LpivDEPZFwH5CDdsYXiXhIcZQXmTFEL1ojSLP9EX83nmeXYvJtKnOaDyxzpShU
9u9NL78WfLYjRI8z8lLaurAVk3ZS5T1PYc+d+p2lpWU4tGfzprB2DidG0WR190GY
1gcTQGMNpfeg0CSJzR7JmJ3Osf894+2z7pWJ8G1iZSKJaAxtKZhHx8ZYBGsDSo0B
EACn1TOmYTOgc/wFCJorFujT//C50fdq57zQq5D+ltYZW4Wt1t8XJlAIiR1m8CmK
KxZaLaVcN3jHJJpB7QTrYiYqz8WSB30cF9N3AUwQz3UMZ5ov5Ev7hSQo5dWNIyne
Uc1lVNolFGnGAEpWVOE157yxwzkqO6ne2vEhDXtyP1tWmPbSrWSZz4+vP2PlqmA5
+19lUoT1tLidoFqXYjxUGMGcVKkMrsCHq7y/uuQyD8Gynuwnupc8gDw5XCCVahCJ
92byO0Nga2NR7SPqpH0Dx3MIhLVrHZW/OBDzDgEJn30ol3CHpB/Pvd9St1ZFxr9c
F/qWI3SQZAsYvubws5SHiQ58pgD90Py8KMzHYNBKuFkoDHKoZLfrXvezEVflsKDn
9QUNWeSTl1EOgzl+VMLaiwfJkz7vuHOhZuRHkHpQQvm2UzVm9Xhogv0bYIcd+9T0
xAw1q/XCTeahLMnrglHqbJUweOUC2nE7HLBkhk7MUGvUYfgmwg0bnqtyZ5EVEZJ4
gbsj4nNZlW62JQnOzO+TtFkDGhSdpfGz/CSUKoiImrPs6E9fgXr7AxwKE4xpkiW1
eaZl36tfDcbJPIDknOHstYexm/w+NG6hnzY3za7UyS/0W+K2GJi8rbQSpjBD+JGU
ASmXUgdomMHvIjrbjuO5fzOsxuDQsMAjQDYJ26K/wfSncwARAQABAA/6AouxWMQs
ZG+N7/Mg34OvdtZNAt51D4lv83DOHqKfRO88ML83RNrNYALPIeaPqSO2nE0yLwuj
UGiHBWv41cAhOh2IT+cbN1xUmNFJCg+tGtk0AQ1xIntPQIU8ap0gY0+CXycAyt0R
5tpyJ30x+6DA6wP7gXOq0xaDRhU2FtYegEBr1dgI2WIV2NQblCM0D15d0rhGug2F
WxxQkiz6qHB0Fy+RomDfeNmVjdY5At8PZHUPfHYQGXmRgjRXq4qXu4I800mSJ4QG
6rKByiOEsnrWVNKGps9sVFnsQacObQM9oVX3/breodsZNRh7uwRf1CodgantpqKg
E+dPnkfgej/5AdYJsDW2KCdzqIQ3RmLRioloxiLrFuuLlOdDoGrm5ZTieKKkX6L7
CeJetv9SBg4ax6teU2KwrfglhQccZotXQGdEO45GXZXpyOeNg+OAsAuwX1KrukoL
xjMHugZugrVlS9hK6pIQ+7Xqkosi7dtG+tqUb4sbOzwXhsOC8lrplAPuPDpmbDO3
qWdNyhPJpFl+cwxsMIIpHvmVAU/5O4kpz9vy5yfsZhlmLJy7B/mFDUPkZecQd3IG
jGSBZ2lG+VxlHMpGZHQ2Ebse884NDhZUba+VcjLxIbN6CZNfKaqWEiTPa0jzhJQk
mIRjccy4rQORKKfLeueqvKSn2nWDW73ROZ0IAMlbVvQZvIMIignJajOYRPxyLfjv
LvJnLMRQUQAlzSG3neS+vKEj21yBjsr/GtsNspytEj8Q6jOyba5BlquDpYiG2yKD
YYOgROEMAjPR1Ko3GYt+pj/tk7C5/z/DP3dm2nodFcoLrfIKZXLXYJlOPHiPuYL0
mAL4sQkgPkaeI9QeI3TxL0wm5oDvZBU27WUA18eiSgQZF36iEswMbT+M1ChJ9OZL
Gp8DIbH8oxwxs3hjkIF9LXcwygW4FY/vZeMznYiebWP8fbimRB23Jexq2ZRrrQsS
Pzmc0nKQrJMIISnL7nkWn+XYDKgmsnrqXw+B+ifvGycG9u8mbct2hANL8e8IANVg
4l4g/V5lkHzMYumm2he29ln6HCt53Wv007mtFyRxD+KIqhtJrmxhagPubDBh7A0o
CZRrdiLW22Utru33a/PcohPtKDgapJ12a80t34ivHwVIaLz+jAdH/lQlzolTiIp2
+83rZ+b0EGKJAGVXLJgSii1EB/uXe+yJsF6dBrTKXQAnRagPj6tQ27zoepEmDvcG
J/0WJDUozILt2vbiVJg6JE8qY/VUjck6DXLXLGyX7YNlcl/aJmqwFjdN8z6TNTu3
L75xlqyCVQ2oJzcPm+wJSSkEOG7wzGSxiq1wnsKWbj8XcRjsLTnywbrVdxKn2WLJ
UCWPKtsVFLbUzFvvlr0H+gK9Ig2mIdi+Ngp281rUl1TfYmhbkl8j9NA3Xrf4z979
m8QGJMP2NbhVDcwHbAruskRel69j0Gyyd1Qt2Mn8tyIdy6tDsfD0j3bTkau6TQfA
H0ujMd7BKG1VwrwB5bMcUVP0ZGx+mh/GkvPxlLDwvOIPfp5yr3dFclG7+JuEFqXE
VEMfxazikJNFvFvKCZGqAeOCoyiwRQOo48QyCQbuURxA4mDQVislx4mt8daEivTC
s6YBQCGiZTgSCgE3N4x8GmllcJ9+aiyrFums19Y28zECpXZDqI8EE9s1Z7EzuxFn
xa/t5V4R01gMkMbl5Fbz/djoOQmrbbj42lWLYEyE4e5weMLBrAQYAQgAYAWCawNK
jQkQFwYv23UaKxw1FAAAAAAAHAAQc2FsdEBub3RhdGlvbnMub3BlbnBncGpzLm9y
Z8w+tprFD01ep2KJKGa4shUCmwwWIQQfZ2hqplogInJTjcAXBi/bdRorHAAAAFUQ
AJHTMRv/efsVyohKqVGTVbBobmolGF9EDIt8t+vr6Lbop2KakCNtOiyd2LGhHosD
xV5Oo9BkTLzLC8nV2138dE9YdjG8TIlEJmFHimJ/RYwuwg2zLQGJwe42kAPr7SUn
m4n2LUZ0KM+ZnoDjpioabPzV0JYbC45WYxz24sxtQFi2mhg8Blq0zcI/dxiWkKV1
H6lVEBDkbSB+xI0ckiWIDaK2CRPzyHk06PJio6A80lxzozkgbXiEqiDXCYnzHPtj
NkjiPJf1SX0bxgq6W7QTsZsuH+kOpvzVXVE9CtmKBclnXljO4groQV7d1EQlhsDu
5daX6FGYsDTRUhNWRfjvNgvD6e0ANCcM59OwN+ckoyS0jvbXq16Z3DT8fXirrwlA
YcCiGnuLo5EJ8xwT6oTXxyE72U1kpDuKYbKWGzPvk9ZcwZ7gGERHbkKOj4hDTcqm
ylO5QI7RUpTDpWYJlamowa2prC0UG9j4AtViK6hn04AuVmAh3dt6aveAC3Spk3hH
M8ERFyVmUmXslIaM8CdyCPIRNg/th4+nSE0Sn5hJgiVaLUPicKxHIMNiecI8KS+h
cQ9qdQvdWGt6SMoF/e0Ldf8Sc9BV5/BVCPaw+pvKkV4KVIBPb5N7KbTVpYJHGRHS
JAKFhg/VCHOjv6LV/WEeV1Tgv+qMthWQw0/0DHhQaCjn
=Qqtq
-----END PGP PRIVATE KEY BLOCK-----');
INSERT INTO `user_setting` VALUES (2, 2, 'debian.key.public', '-----BEGIN PGP PUBLIC KEY BLOCK-----

xsFNBGsDSo0BEAC70MlJiRdSrXQ3timtNsstHC6dHmjwNKeVXB3WQQIDACBBz8TJ
tKb6v4BAUW8m77LHuhlXJK5UTcYa8mWBgq7sKz4TMqQXCcui30/IL24nSitoyWOu
/aw30mJXwYC+gJ42S2ChprJtV8bxob7a5SldTDzE9BTevkYVjtAZjCJEHPcmDD0o
0ihl/C1KAbmXjrth9s+N/UALIrrs9BtTXJpJm+FF3Xd6uIGMuhNE8XpKxNJuUKNa
7fiQlfAGx2em85XYus3romz6znsWksn2taT6f3AdNTIsgH2dG5YNl8kz3isBR5OL
3w/QzhD0m493w7a24XGIR7u5sJzQe5ah1+Ll8ferYKKxJZN9UA8hS9e/gKT9tzH5
WmS55b6oreVgk6qIee8Gmq6LuxAr1Iq7kdU77eXoMNvw0cEfpodt8cAamdRrYmwz
YEQ7R61Bsnx6Lju0KAJpQJkLG9oBJjnwjaGzhXgJPEcqKLByg9f1sbtzRJo6m5dh
MaQ33TdATBn0bz/3P4QZPuNaseuv/A2n7Cg6d0aLwm5WolvoljI/X6zRYTLK+IAK
OD7zKngwKrqseLOdO1CZl50ghw+de/p+64wfr1Dj0NvXlYX2hBNLpn9AdeL5QOtg
xsVpNz3k4cOJYEAA8XPAGsaeAksAKxCwKZsGToOnsyXzBiaW2u3yA7k/NQARAQAB
zUsoQXV0b21hdGljYWxseSBnZW5lcmF0ZWQgRGViaWFuIFJlZ2lzdHJ5IEtleTsg
Y3JlYXRlZCAyMDI2LTExLTIyVDIwOjAzOjI1WinCwbwEEwEIAHAFgmsDSo0DCwkH
CRAXBi/bdRorHDUUAAAAAAAcABBzYWx0QG5vdGF0aW9ucy5vcGVucGdwanMub3Jn
mw1TkOw62I+dlDh8AUKp1gIVCAIWAAIZAQKbAwIeARYhBB9naGqmWiAiclONwBcG
L9t1GiscAAAOvhAAuNDhLHxQCsn387APnUinJF9BRs0JefvEKDdQBuSw5BrmPeJJ
sV2///spfghDQyeWVQFGHZv8cs+UuJunJT4rzHvigZ9B8LTZqkWkVkhYRoV6zxGw
klvknQvki/QnCFbZdwJsASFOwGGWcxsAOHvJCr1dfr0HtrumFvg6VYJu5NgDHyWJ
2f8c6JXfFsA0fbPy5pBjFdcMeB+AW8mAipTR27LRn2fC/zgagyrQmKlZ3ymVvR4i
TQMi58pcjwq4tTbqvw3/cXvcHnw19y682L8ikGnIGxtr3DQDgPf1H4CGfslHy6XG
+nCPnZvnZHU6ksvRgvsloOG3ZxRgAWc5EBqPcja1itZmqPQIuXr8F18JUHpc0QSW
vDIs5ZlGS4n+CMtzhkArXHsBKuCp+GQMo+/o8rpgUTuyElfR7zugnDowu5iJmG7q
5pkmYfgdr2WeM2sx4zPKsyAHCXpaWoYq+V8Ma4vDAYS1llAcg/OJyMDMJ/ByYMwX
QIKDeq/HkumK8MQ9kXAfkIN2xheJeEhxlBeZMUQvWiNIs/0RfzeeZ5di8m0qc5oP
LHOlKFT2700vvxZ8tiNEjzPyUtq6sBWTdlLlPU9hz536naWlZTi0Z/OmsHYOJ0bR
ZHX3QZjWBxNAYw2l96DQJInNHsmYnc6x/z3j7bPulYnwbWJlIoloDG0pmEfOwU0E
awNKjQEQAKfVM6ZhM6Bz/AUImisW6NP/8LnR92rnvNCrkP6W1hlbha3W3xcmUAiJ
HWbwKYorFlotpVw3eMckmkHtBOtiJirPxZIHfRwX03cBTBDPdQxnmi/kS/uFJCjl
1Y0jKd5RzWVU2iUUacYASlZU4TXnvLHDOSo7qd7a8SENe3I/W1aY9tKtZJnPj68/
Y+WqYDn7X2VShPW0uJ2gWpdiPFQYwZxUqQyuwIervL+65DIPwbKe7Ce6lzyAPDlc
IJVqEIn3ZvI7Q2BrY1HtI+qkfQPHcwiEtWsdlb84EPMOAQmffSiXcIekH8+931K3
VkXGv1wX+pYjdJBkCxi+5vCzlIeJDnymAP3Q/LwozMdg0Eq4WSgMcqhkt+te97MR
V+WwoOf1BQ1Z5JOXUQ6DOX5UwtqLB8mTPu+4c6Fm5EeQelBC+bZTNWb1eGiC/Rtg
hx371PTEDDWr9cJN5qEsyeuCUepslTB45QLacTscsGSGTsxQa9Rh+CbCDRueq3Jn
kRURkniBuyPic1mVbrYlCc7M75O0WQMaFJ2l8bP8JJQqiIias+zoT1+BevsDHAoT
jGmSJbV5pmXfq18Nxsk8gOSc4ey1h7Gb/D40bqGfNjfNrtTJL/Rb4rYYmLyttBKm
MEP4kZQBKZdSB2iYwe8iOtuO47l/M6zG4NCwwCNANgnbor/B9KdzABEBAAHCwawE
GAEIAGAFgmsDSo0JEBcGL9t1GiscNRQAAAAAABwAEHNhbHRAbm90YXRpb25zLm9w
ZW5wZ3Bqcy5vcmfMPraaxQ9NXqdiiShmuLIVApsMFiEEH2doaqZaICJyU43AFwYv
23UaKxwAAABVEACR0zEb/3n7FcqISqlRk1WwaG5qJRhfRAyLfLfr6+i26KdimpAj
bTosndixoR6LA8VeTqPQZEy8ywvJ1dtd/HRPWHYxvEyJRCZhR4pif0WMLsINsy0B
icHuNpAD6+0lJ5uJ9i1GdCjPmZ6A46YqGmz81dCWGwuOVmMc9uLMbUBYtpoYPAZa
tM3CP3cYlpCldR+pVRAQ5G0gfsSNHJIliA2itgkT88h5NOjyYqOgPNJcc6M5IG14
hKog1wmJ8xz7YzZI4jyX9Ul9G8YKulu0E7GbLh/pDqb81V1RPQrZigXJZ15YzuIK
6EFe3dREJYbA7uXWl+hRmLA00VITVkX47zYLw+ntADQnDOfTsDfnJKMktI7216te
mdw0/H14q68JQGHAohp7i6ORCfMcE+qE18chO9lNZKQ7imGylhsz75PWXMGe4BhE
R25Cjo+IQ03KpspTuUCO0VKUw6VmCZWpqMGtqawtFBvY+ALVYiuoZ9OALlZgId3b
emr3gAt0qZN4RzPBERclZlJl7JSGjPAncgjyETYP7YePp0hNEp+YSYIlWi1D4nCs
RyDDYnnCPCkvoXEPanUL3VhrekjKBf3tC3X/EnPQVefwVQj2sPqbypFeClSAT2+T
eym01aWCRxkR0iQChYYP1Qhzo7+i1f1hHldU4L/qjLYVkMNP9Ax4UGgo5w==
=N4y5
-----END PGP PUBLIC KEY BLOCK-----');
INSERT INTO `user_setting` VALUES (3, 2, 'alpine.key.private', '-----BEGIN RSA PRIVATE KEY-----
MIIJKAIBAAKCAgEA2i10oMIUcBCKB0Q9DmVGe2DvBDm5ojX6z2Bf3cUW+2V18Z4t
3IB7SHjpzIdZ67djYG/4+HnINGK3Fke08nmPIYR0Pxjdp6SfflGeVhdjO7/vfHkV
Y2kfj5aflcQnOp39o9Z0o3lju+bNAK65GBl6JZnSIcDS1KwLhdjsdD9uy6fKbhSr
LoJsPZDD8s0WipZ97i/hJD+fC2tSqfVcB7V0lwAsrctbK0uiamoKqPgKKYSLgZFG
AHPWfswU3h4snVG1XT/FVWM18/LOdCI6kVcuSZJYQnSsqyGAV8GUyAUAWcG9mOwE
s7tR07ojfDvNIybnZIPdBCtM/10d1PWYSkYNZiGvynoCwEuudrUDMSz609nbqiXG
m4pGS1yNh3w1+riSc3ZboONGbDA8hKC0goyAFbg7xAyPuNZTt9JcG/jhjjtKNzVB
hm/rLCsSFT4hbS0BxjLaPr15yiw4zCMPjMBKUfgEEFpVrWdME3hjRX+ZrOUVWgSm
zUMQx1+OCAQcMVuwPmyzbuA7fzN1uQN37FmJMtPfNTmSdDfhvP6mB2s3I2qOUZc4
67bSQLM3EXDIsxqQ9kodCo+QbioCX+p0M7xi+jjcLrcyimZXKntucXxABviDJ7oy
3nCwrn6C4Lgh2KJqxl89tWjiaO6ejs/UY8W55g4fpojhPeg8UjYUnGTeA0ECAwEA
AQKCAgAbWdDx2Tq2LMCc9hdAX35VN7rm+PSWSvWQ+zgxZUSDCf5d5pJBvwKVfID0
wLALXn9RBuB7h8rLFGf23VDoB8ijb0ciZNPesQLEk2dJzB9GzYIwhL5jarmH5t5F
KGSxkr5KBHe1SaGw29dtwzmVdZYsMgsXa6SSgCnmouHLlesmETgNkj4+c5+tnSEP
Zlnx0Dlju3FaObaOuCrR/x4FImCGEIHJXMGmXRI0jGwfMA8YEtNpUASqSFtGpH9m
M/qsUyKtGLI8iNYp6ZGrmeHlN/xnwTaayCUgQ/AisDQeWhAn8GN8EPRq8qvoosBR
ke6evkEKRwSVQfdiWPJFMO+hOgRyQpWiO3RCKI4N1yR99a9ZghaJUCElQ+b7E8he
WlfL4DRQMb1dQbT+0PMzdaUTGilM9Dfv8k8+wjdT3FtdnDT9eq8K8l4TVVYmh7Dl
H0pOnIPdNoJnp4qLheE7PAI3LeGw6Abeb5KcPuU5bNTc5G14KUPpXTVOgYxi9lw0
zCUcFqcKI3Ta2WmFawypZk/k/O3UT3tHSGdvgK8/REHddUvZwtaJGC6khV1jj4Pp
YjilAOW7Mwm5qCsfPKBp0DKeho63YOBvKTeh3cqGZc3ED1b6nnt/IXQRcsyOig37
4QBI84ZvwlH007xJivexoVuaJY11S+wFHeBwaRV0yTezGLj/tQKCAQEA/clRD8HC
yLLveMJfAIVWgADEh4VOvmrbVYjLrxdbvwLWRoOFyvSUEx5Ms9cFoJBVe5X08x7R
DLd7Py8J8lwYOztbn7UQyGwRGE2I59u2wXO3PWzk1wMcfXClFvJCyF39uCq4azrJ
UCrqQY7mutbcu04I/LiSaKukiuuquYtdqPSdZUNN0dH1mh9WUXuFRDubrZ2QvTiE
WCuVBh0wMfB5ezsDEkMp4N+FHxUDCViV6uAZ+s7+T5NUCov/FCFzJGeVl32tOI32
DU4kHgaQ3GKW1WAUDxXHue0/4Yg6uKzjK/9PvnGDJN17w4Tu8cbML/FTZKhQcdFl
g5/ZefjJlROpLQKCAQEA3BSgoHLXnJrP2siAp4upWbKoRnTLa378zm0rNL6EjSqN
AW4Vz6u/NAsQ3RbsUV8+kLxFG+GPoVlti1sQJ1RO/Z5978VR2MapCKyjk4rN7YfJ
ycbOMpSW+D2Y96Th1G+0cLbf0LkSJOctrxDUG1mngBSuk4s+msU3b14so91LFAhj
uvbwjkWtkhMjA3WUvtM8C2LftPAxGlalP4UaRjiV7KroC0YshrREiUBaubrP8q5D
dpd+LkgDSGzGcgW7+AAxlIOLs9q9ex6Y2A+JR9h0KnS4K2xEu6u/fBDkBYshY1aF
5WmMTajbRleDJvOg0bFFKfFzJlIS8Plc1W0l8Lcm5QKCAQBMmKpCmzRy5q6oP+H0
gkntME4gqPdvOUkhs7vmCKLEL9METUXgT5kxe/+id89W+rkSJ9xaVH6729Ty6PuT
joAxwGSS+08pbpRqRVyAviuWj5pKi8c1rda3dXweRNgrKVMedqZals+TxqAVUVAK
LDdKwO6td/eYZ9WtqBtLDOkjyVCH85xVK415CuQ+i41ZXrRJ3jiFI72t7tl3ku+s
4uuHafQvWt4U5OGE1A6qj3YQAbtVm4vd8JV46W//X2klH65inqfdXdtZgLAd79Vg
7tCfbfQf6W7yisyxATDX9DZMXS5wSEpQohhsln6XsmyGO8vzoWlGMPD2nRRCX/hX
aiuxAoIBAAbk6oc8Mb7pJpu+7jDRcjOqIhVa8UhjyP2ac+EKGtLlQ1eJIEvKIIo7
0oJqhmqiJi6Yhz2xWjN+vqy/5Iim3naZcW6Caub0ijUIW3NyxLKtL0gP30O8XeJW
46TWWHC0Mx3YzLgYJBZd25OBXnOg4ltjyng6w3JLvUnS1GkptIFjJeSkebKrQh2y
VcV0+Hzl1xqwNTvQzmj5z+FmhQUwHpo0XGKGBz0NBpyaFH1++aariNd9NWmzvc6W
Ab1uqo3BS8xQNp8iug7STY1vJyjGAhWWZHKPyLNsVOpJCSuXSSt4eWdPYCLKqFvS
v/wHY8FN4VHIC4hmx8setKbG7YpV4nUCggEBAIwKyGqnqd/teFrAUtb2qFlsYTmF
arBXhCUzz/4bE6U0gMCgT5HFilYAql+cJWbmv/hLCp3WXgjGNJhNfqn0SGkjxYOw
SonrFROKqxeTAvu9UAKOE4rpr0lZSrZOf3MFpeFWRJNqGQrR+5DIGcQtwALwmk/a
U8hYVcnKHC5DlejRcJ0oDi7V6IELnsBqR3c5gmovzZfO3gbx5K3YQxAnImKn4+sH
sBEAr+6/qH+uLUqVxTjTYVT8fSbUfBi79sqVyJZo0WK3OcSUg3wuxcNAmUezExm/
jtYNSwCDfvXnx6zU4PvHKMUl+g63qCbPYFuaTCLm8sQ9r34z58jMFx5MA8U=
-----END RSA PRIVATE KEY-----
');
INSERT INTO `user_setting` VALUES (4, 2, 'alpine.key.public', '-----BEGIN PUBLIC KEY-----
MIICIjANBgkqhkiG9w0BAQEFAAOCAg8AMIICCgKCAgEA2i10oMIUcBCKB0Q9DmVG
e2DvBDm5ojX6z2Bf3cUW+2V18Z4t3IB7SHjpzIdZ67djYG/4+HnINGK3Fke08nmP
IYR0Pxjdp6SfflGeVhdjO7/vfHkVY2kfj5aflcQnOp39o9Z0o3lju+bNAK65GBl6
JZnSIcDS1KwLhdjsdD9uy6fKbhSrLoJsPZDD8s0WipZ97i/hJD+fC2tSqfVcB7V0
lwAsrctbK0uiamoKqPgKKYSLgZFGAHPWfswU3h4snVG1XT/FVWM18/LOdCI6kVcu
SZJYQnSsqyGAV8GUyAUAWcG9mOwEs7tR07ojfDvNIybnZIPdBCtM/10d1PWYSkYN
ZiGvynoCwEuudrUDMSz609nbqiXGm4pGS1yNh3w1+riSc3ZboONGbDA8hKC0goyA
Fbg7xAyPuNZTt9JcG/jhjjtKNzVBhm/rLCsSFT4hbS0BxjLaPr15yiw4zCMPjMBK
UfgEEFpVrWdME3hjRX+ZrOUVWgSmzUMQx1+OCAQcMVuwPmyzbuA7fzN1uQN37FmJ
MtPfNTmSdDfhvP6mB2s3I2qOUZc467bSQLM3EXDIsxqQ9kodCo+QbioCX+p0M7xi
+jjcLrcyimZXKntucXxABviDJ7oy3nCwrn6C4Lgh2KJqxl89tWjiaO6ejs/UY8W5
5g4fpojhPeg8UjYUnGTeA0ECAwEAAQ==
-----END PUBLIC KEY-----
');
CREATE TABLE `version` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `version` INTEGER NULL);
INSERT INTO `version` VALUES (1, 331);
CREATE TABLE `watch` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `user_id` INTEGER NULL, `repo_id` INTEGER NULL, `mode` INTEGER DEFAULT 1 NOT NULL, `created_unix` INTEGER NULL, `updated_unix` INTEGER NULL);
INSERT INTO `watch` VALUES (1, 2, 1, 1, 1795365276, 1795365276);
INSERT INTO `watch` VALUES (2, 3, 1, 1, 1795365277, 1795365277);
INSERT INTO `watch` VALUES (3, 2, 2, 1, 1795365277, 1795365277);
INSERT INTO `watch` VALUES (4, 2, 3, 1, 1795365277, 1795365277);
INSERT INTO `watch` VALUES (5, 2, 4, 1, 1795365278, 1795365278);
INSERT INTO `watch` VALUES (6, 3, 2, 1, 1795365280, 1795365280);
INSERT INTO `watch` VALUES (7, 3, 5, 1, 1795365280, 1795365280);
INSERT INTO `watch` VALUES (8, 2, 6, 1, 1795365289, 1795365289);
INSERT INTO `watch` VALUES (9, 2, 7, 1, 1795377812, 1795377812);
CREATE TABLE `webauthn_credential` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `name` TEXT NULL, `lower_name` TEXT NULL, `user_id` INTEGER NULL, `credential_id` BLOB NULL, `public_key` BLOB NULL, `attestation_type` TEXT NULL, `aaguid` BLOB NULL, `sign_count` INTEGER NULL, `clone_warning` INTEGER NULL, `created_unix` INTEGER NULL, `updated_unix` INTEGER NULL);
CREATE TABLE `webhook` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `repo_id` INTEGER NULL, `owner_id` INTEGER NULL, `is_system_webhook` INTEGER NULL, `url` TEXT NULL, `name` TEXT DEFAULT '' NOT NULL, `http_method` TEXT NULL, `content_type` INTEGER NULL, `secret` TEXT NULL, `events` TEXT NULL, `is_active` INTEGER NULL, `type` TEXT NULL, `meta` TEXT NULL, `last_status` INTEGER NULL, `header_authorization_encrypted` TEXT NULL, `created_unix` INTEGER NULL, `updated_unix` INTEGER NULL);
INSERT INTO `webhook` VALUES (1, 0, 6, 0, 'https://hook.example/org', '', 'POST', 1, '', '{"push_only":false,"send_everything":false,"choose_events":true,"branch_filter":"","events":{"create":false,"delete":false,"fork":false,"issue_assign":false,"issue_comment":false,"issue_label":false,"issue_milestone":false,"issues":false,"package":false,"pull_request":false,"pull_request_assign":false,"pull_request_comment":false,"pull_request_label":false,"pull_request_milestone":false,"pull_request_review":false,"pull_request_review_request":false,"pull_request_sync":false,"push":true,"release":false,"repository":false,"status":false,"wiki":false,"workflow_job":false,"workflow_run":false}}', 0, 'gitea', '', 0, '', 1795365277, 1795365277);
INSERT INTO `webhook` VALUES (2, 2, 0, 0, 'https://hook.example/repo', '', 'POST', 1, 'hook-secret', '{"push_only":false,"send_everything":false,"choose_events":true,"branch_filter":"","events":{"create":false,"delete":false,"fork":false,"issue_assign":true,"issue_comment":true,"issue_label":true,"issue_milestone":true,"issues":true,"package":false,"pull_request":true,"pull_request_assign":true,"pull_request_comment":true,"pull_request_label":true,"pull_request_milestone":true,"pull_request_review":true,"pull_request_review_request":true,"pull_request_sync":true,"push":true,"release":false,"repository":false,"status":false,"wiki":false,"workflow_job":false,"workflow_run":false}}', 1, 'gitea', '', 2, 'f634cb343e23c4444d977d70173e85cc58f04fbfd100703830400220ebf2c0597a6438f4c9dd7eef', 1795365280, 1795365290);
