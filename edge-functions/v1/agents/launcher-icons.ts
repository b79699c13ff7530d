// Owns the list of launcher icons. Postgres has the same list (agents.launcher_icon).
export const launcherIcons = ["chat", "question", "sparkles", "book", "headset"] as const;
