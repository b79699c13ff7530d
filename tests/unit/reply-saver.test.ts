// Saving growing replies while the machine's clock is set.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepSaved } from "../../edge-functions/v1/messages/reply-saver.ts";
import { saveReplies } from "../../edge-functions/v1/messages/reply-store.ts";

vi.mock("../../edge-functions/v1/messages/reply-store.ts", () => ({
  saveReplies: vi.fn(async (growing: { id: string }[], silent: string[]) =>
    [...growing.map(({ id }) => id), ...silent].map((id) => ({ id, stopRequested: false })),
  ),
}));

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

test("a reply is saved, and asked whether it must stop, when the clock was set back an hour", async () => {
  const draft = { content: "So" };
  const end = keepSaved({ id: "r", draft, stop: () => {} });
  await vi.advanceTimersByTimeAsync(1_000);
  vi.setSystemTime(Date.now() - 3_600_000);
  vi.mocked(saveReplies).mockClear();
  draft.content = "So far";
  await vi.advanceTimersByTimeAsync(2_000);
  end();
  expect(saveReplies).toHaveBeenCalledWith([{ id: "r", content: "So far" }], []);
  expect(saveReplies).toHaveBeenCalledWith([], ["r"]);
});
