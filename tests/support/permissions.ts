// Owns the permission table: the permissions of each system role. Every test derives its expectations from it; tests/sql/roles.test.ts
// compares the seeded rows with it.

export const systemRoles = ["owner", "admin", "editor", "viewer"] as const;
export type SystemRole = (typeof systemRoles)[number];

/** System roles have the same ids in every installation. */
export const systemRoleIds: Record<SystemRole, string> = {
  owner: "00000000-0000-7000-8000-000000000001",
  admin: "00000000-0000-7000-8000-000000000002",
  editor: "00000000-0000-7000-8000-000000000003",
  viewer: "00000000-0000-7000-8000-000000000004",
};

// Each line: the permissions, then owner, admin, editor, viewer.
// biome-ignore format: a table is read by its columns.
const table = [
  ["team.read users.read roles.read agents.read knowledges.read sources.read files.read tasks.read chats.write",
                                                                                        "yes", "yes", "yes", "yes"],
  ["agents.write knowledges.write sources.write files.write chats.read insights.read apps.read",
                                                                                        "yes", "yes", "yes", "no"],
  ["team.update users.write roles.write apps.write apiKeys.read apiKeys.write",         "yes", "yes", "no",  "no"],
  ["team.delete models.write",                                                          "yes", "no",  "no",  "no"],
] as const;

type Words<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text;
export type Permission = Words<(typeof table)[number][0]>;

function words(text: string): Permission[] {
  // The type of the table's first column guarantees the words.
  return text.split(" ") as Permission[];
}

export const permissions: readonly Permission[] = table.flatMap(([names]) => words(names));

/** The permissions of each system role. */
export const rolePermissions: Record<SystemRole, readonly Permission[]> = {
  owner: permissionsOf(1),
  admin: permissionsOf(2),
  editor: permissionsOf(3),
  viewer: permissionsOf(4),
};

function permissionsOf(column: 1 | 2 | 3 | 4): Permission[] {
  return table.flatMap((line) => (line[column] === "yes" ? words(line[0]) : []));
}
