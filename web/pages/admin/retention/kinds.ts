// What has a retention, in the order of the page.
export const kinds = ["tasks", "replyPassages", "slackThreads", "handovers"] as const;
