// Owns the list of columns that keep sealed secrets for long, so that a change of SECRETS_KEY finds each of them: a new one that
// is missing here would be lost with the old key. Answers and states that live for a day at most are not listed.

export interface SealedColumn {
  table: string;
  column: string;
  /** The primary key, and what it is in the context that the secret was sealed for. */
  key: string;
  contextOf(key: string): string;
}

export const sourceCredentials = {
  table: "private.source_credentials",
  column: "ciphertext",
  key: "source_id",
  contextOf: (sourceId) => `source:${sourceId}`,
} as const satisfies SealedColumn;

export const slackTokens = {
  table: "private.slack_installations",
  column: "tokens",
  key: "workspace_id",
  contextOf: (workspaceId) => `slack:${workspaceId}`,
} as const satisfies SealedColumn;

export const modelKeys = {
  table: "private.models",
  column: "api_key",
  key: "id",
  contextOf: (id) => `model:${id}`,
} as const satisfies SealedColumn;

export const handoverSecrets = {
  table: "private.handover_settings",
  column: "secret",
  key: "team_id",
  contextOf: (teamId) => `handover:${teamId}`,
} as const satisfies SealedColumn;

export const sealedColumns: readonly SealedColumn[] = [
  sourceCredentials,
  slackTokens,
  modelKeys,
  handoverSecrets,
];
