// How much JavaScript each page may bring, compressed, by the table that the build has written.
import { readFileSync } from "node:fs";
import { expect, test } from "./support/test.ts";

const table = JSON.parse(readFileSync("dist/client/scripts.json", "utf8")) as Record<string, number>;
const WITHOUT_ISLANDS = 5_000;
const PUBLIC_CHAT = 125_000;
const ANY = 160_000;

test("no page is heavier than it may be", () => {
  const pages = Object.entries(table);
  expect(pages.length).toBeGreaterThan(30);
  expect(pages.filter(([, bytes]) => bytes > ANY)).toEqual([]);
  for (const page of [
    "/login",
    "/register",
    "/shopify",
    "/content",
    "/support",
    "/teams",
    "/account",
    "/dashboard",
  ])
    expect(table[page], page).toBeLessThanOrEqual(WITHOUT_ISLANDS);
  expect(table["/chats/@id"]).toBeGreaterThan(WITHOUT_ISLANDS);
  expect(table["/chats/@id"]).toBeLessThanOrEqual(PUBLIC_CHAT);
});
