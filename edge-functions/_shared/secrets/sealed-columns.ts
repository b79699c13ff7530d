// Owns the list of columns with long-lived sealed secrets, so that a rotation of SECRETS_KEY reseals each of them. A column missing here
// loses its secrets with the old key. Answers and states that live for at most a day are not listed.

export interface SealedColumn {
  table: string;
  column: string;
  /** The primary key, and how it appears in the context that the secret was sealed for. */
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
