// The permissions by subject, in the order of the screens. A permission of the database that is missing here comes
// last, under its own name.

export const permissionGroups: [group: string, permissions: string[]][] = [
  ["agents", ["agents.read", "agents.write", "chats.write", "chats.read", "insights.read"]],
  [
    "knowledge",
    [
      "knowledges.read",
      "knowledges.write",
      "sources.read",
      "sources.write",
      "files.read",
      "files.write",
      "tasks.read",
    ],
  ],
  ["connections", ["apps.read", "apps.write", "apiKeys.read", "apiKeys.write", "models.write"]],
  [
    "team",
    ["team.read", "team.update", "team.delete", "users.read", "users.write", "roles.read", "roles.write"],
  ],
];
