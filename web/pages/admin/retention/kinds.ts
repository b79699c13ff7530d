// The kinds of data with a retention period, in the order of the page.
export const kinds = ["tasks", "replyPassages", "slackThreads", "handovers"] as const;
