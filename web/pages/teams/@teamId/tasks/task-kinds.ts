// What a task may be and the states that it may have, in the order in which filters offer them.
export const taskTypes = ["index", "loadDocuments", "sync", "import", "agentTests", "gaps", "questions"];
export const taskStatuses = ["queued", "running", "waiting", "stopping", "stopped", "succeeded", "failed"];
