// The icons that an agent's launcher can have. Postgres holds the same (agents.launcher_icon).
export const launcherIcons = ["chat", "question", "sparkles", "book", "headset"] as const;
