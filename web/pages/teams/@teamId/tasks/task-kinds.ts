// The types and the statuses of tasks, in the order in which filters offer them.
export const taskTypes = ["index", "loadDocuments", "sync", "import", "agentTests", "gaps", "questions"];
export const taskStatuses = ["queued", "running", "waiting", "stopping", "stopped", "succeeded", "failed"];
