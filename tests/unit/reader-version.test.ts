// Files that teams uploaded are read again, and cut into passages again, only when a version rises.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Readings, readFiles, readingsPath, versionsToRaise } from "../support/readings.ts";

const recorded: Readings = JSON.parse(readFileSync(readingsPath, "utf8"));

test("what files are read as is what the versions stand for, or npm run readings says which has to rise", async () => {
  const now = await readFiles(Object.keys(recorded.files));
  expect(versionsToRaise(recorded, now)).toEqual([]);
  expect(now, "npm run readings records what the raised versions read").toEqual(recorded);
});

test("a reading that differs asks for its version, until that has risen", () => {
  const change = (changes: Partial<Readings>): Readings => ({ ...recorded, ...changes });
  const [name = "", hashes] = Object.entries(recorded.files)[0] ?? [];
  if (!hashes) throw new Error("nothing is recorded");
  const otherText = { ...recorded.files, [name]: { text: "other", passages: "other" } };
  const otherPassages = { ...recorded.files, [name]: { ...hashes, passages: "other" } };
  const { readerVersion, pipelineVersion } = recorded;
  expect(versionsToRaise(recorded, change({ files: otherText }))).toEqual([`readerVersion: ${name}`]);
  expect(versionsToRaise(recorded, change({ files: otherPassages }))).toEqual([`pipelineVersion: ${name}`]);
  expect(versionsToRaise(recorded, change({ files: otherText, readerVersion: readerVersion + 1 }))).toEqual(
    [],
  );
  expect(
    versionsToRaise(recorded, change({ files: otherPassages, pipelineVersion: pipelineVersion + 1 })),
  ).toEqual([]);
});
