// Owns how long a reply may go without a write. Its process renews it; the next question in the chat, a reader and the worker's chore end
// a reply that nobody renews.

/** A reply without a write for this long belongs to a dead process. */
export const replyLeaseSeconds = 60;
